import type { Evidence } from "#shared/repair";
import { stepsOf } from "#shared/json";
import { nameOf } from "#shared/schema";
import type { Compared } from "./compared.ts";
import { formsIn, formsOf } from "./find-dropped.ts";
import type { Objection } from "./proof.ts";

/**
 * Finds data of the text that fits a declared field and is in no value of the repair: a field that the repair has not,
 * or another value for a field in the midst of the answer. Drafts and tool names around the answer do not count.
 */
export function findLeftOut({ input, leaves }: Compared, evidence: Evidence): Objection[] {
  const { original, steps = [] } = input;
  const { text } = original;
  // The events of a stream cut names and values in pieces.
  if (steps.some(({ step }) => step === "stream_joined")) return [];
  const spans = evidence.values.flatMap((value) => value.spans);
  const [start, end] = [Math.min(...spans.map((one) => one.start)), Math.max(...spans.map((one) => one.end))];
  const kept = formsIn(leaves);
  const amongWords = steps.flatMap(({ step, path }) =>
    step === "text_around_removed" && path !== "" ? [nameOf(stepsOf(path))] : [],
  );
  return (
    evidence.unused
      // Words around the value of a field have its name before them.
      .filter(({ name = "" }) => !amongWords.includes(name))
      .filter(
        (one) =>
          one.reason === "left_out" || (one.reason === "another_value" && one.start > start && one.end < end),
      )
      .map((one) => ({ ...one, piece: text.slice(one.start, one.end) }))
      .filter(({ piece }) => isFact(piece) && !formsOf(piece).some((form) => kept.has(form)))
      .map(({ name = "" }) => ({
        path: "",
        code: "dropped" as const,
        message: `the text has data for the field ${name}, and the repair lost it`,
      }))
  );
}

const NO_FACT = /^(?:null|none|nil|undefined|n\/a)?$/i;

function isFact(piece: string): boolean {
  return /[\p{L}\p{N}]/u.test(piece) && !NO_FACT.test(piece.replaceAll(/[\s\p{Cf}]+/gu, ""));
}
