import { cheapestReading } from "#shared/ward";
import type { Attempt, ProcedureName } from "#shared/ward/moves";
import type { RepairContext } from "../../cases/repair-context.ts";
import type { Surgery } from "../../surgery.ts";
import { problemsOf } from "../model/question.ts";
import { makeExample, problemsWithoutNames } from "./make-example.ts";
import type { ExampleProblem, RepairExample } from "./make-example.ts";

/** Maximum number of examples in one prompt, and their maximum length together, in characters of JSON. */
const SHOWN_MAX = 3;
const CHARS_MAX = 3000;

/** Procedures whose repairs become examples. Faults that free procedures repair need no model. */
const TEACHERS: readonly ProcedureName[] = ["strong_model", "person"];

/** Few-shot examples for one message. */
export interface Examples {
  readonly shown: readonly RepairExample[];
  /** Their cases, in the same order. */
  readonly caseIds: readonly string[];
}

/**
 * Chooses repairs of messages of the same agent and contract: those with the most problems in common first, then the
 * latest. They contain no values of those messages.
 */
export async function chooseExamples(surgery: Surgery, context: RepairContext): Promise<Examples> {
  const kept = await surgery.store.cases.examples.of(scopeOf(context));
  const own = new Set(problemsWithoutNames(problemsOf(context), context.schema).map(keyOf));
  const ranked = kept
    .filter(({ case_id }) => case_id !== context.stored.case_id)
    // Written by `keepExample`.
    .map(({ case_id, example }) => ({ case_id, example: example as RepairExample }))
    .map((one) => ({ ...one, shared: one.example.problems.filter((each) => own.has(keyOf(each))).length }))
    .toSorted((a, b) => b.shared - a.shared);
  const chosen: typeof ranked = [];
  let left = CHARS_MAX;
  for (const one of ranked) {
    const length = JSON.stringify(one.example).length;
    if (chosen.length >= SHOWN_MAX || length > left) continue;
    left -= length;
    chosen.push(one);
  }
  return { shown: chosen.map(({ example }) => example), caseIds: chosen.map(({ case_id }) => case_id) };
}

/**
 * Stores a repair as an example, if it qualifies. Called after the message was sent; a crash in between loses the
 * example only.
 */
export async function keepExample(
  surgery: Surgery,
  context: RepairContext,
  healedBy: Attempt,
): Promise<void> {
  if (!TEACHERS.includes(healedBy.procedure) || healedBy.diff.length === 0) return;
  const example = makeExample({
    original: cheapestReading(context),
    schema: context.schema,
    problems: problemsOf(context),
    proof: healedBy,
  });
  const { case_id } = context.stored;
  const { examples } = surgery.store.cases;
  try {
    await examples.keep(scopeOf(context), { case_id, example }, surgery.limits.retentionMs);
  } catch (error) {
    // The message was sent, so a failure here is only logged.
    surgery.logger.warn({ err: error, case_id }, "an example was not kept");
  }
}

function scopeOf({ message, contractId }: RepairContext): {
  readonly agent: string;
  readonly contract: string;
} {
  return { agent: message.record.agent, contract: contractId };
}

function keyOf({ path, code }: ExampleProblem): string {
  return `${path} ${code}`;
}
