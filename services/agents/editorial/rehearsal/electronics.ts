import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { StandIn } from "#shared/runtime";
import { design } from "../designs.ts";
import type { DesignInput } from "../electronics/answer.ts";

const recorded = z
  .array(design)
  .parse(JSON.parse(readFileSync(new URL("designs.json", import.meta.url), "utf8")));

/** Designs the circuits of the sample projects as recorded. Of any other it asks back. */
export const designCircuits: StandIn = ({ requirements }: DesignInput) => {
  const found = requirements.map((one) => ({
    id: one.id,
    known: recorded.find(({ requirement }) => isDeepStrictEqual(requirement, one)),
  }));
  return {
    designs: found.flatMap(({ known }) => known ?? []),
    questions: found
      .filter(({ known }) => known === undefined)
      .map(({ id }) => ({ about: id, question: `Which parts may ${id} be made of?` })),
  };
};
