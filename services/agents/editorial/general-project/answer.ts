import { z } from "zod";
import { contract } from "#shared/contract";
import { remark } from "../contract-fields.ts";
import { question } from "../contracts.ts";
import { notDoneList } from "../not-done.ts";
import { requirement } from "../requirements.ts";

/** Requirements that a brief has for the electronics, and what it leaves open. */
export const PlanAnswer = contract(
  "general-project.plan@3",
  z.object({
    summary: remark,
    requirements: z.array(requirement).max(12),
    /** Questions to be answered before anything can be designed. */
    questions: z.array(question).max(12),
    /** Parts of the brief that ask for something else than the known circuits. */
    not_done: notDoneList,
  }),
  {
    description:
      "The circuits a brief asks for with their stated quantities, and questions where a quantity is missing.",
    check: ({ requirements }) => {
      const ids = requirements.map(({ id }) => id);
      return new Set(ids).size < ids.length
        ? [{ path: "/requirements", code: "named_twice", message: "each requirement has an id of its own" }]
        : [];
    },
  },
);

export interface PlanInput {
  readonly title: string;
  readonly brief: string;
  readonly constraints: readonly string[];
}
