import type { JsonSchema } from "#shared/json";
import { escapeStep, stepsOf } from "#shared/json";
import type { Proof, ProvenanceEntry } from "#shared/proof";
import { canonical, literalsOf, valueAt } from "#shared/schema";
import type { ContractLiterals, JsonValue } from "#shared/schema";
import { shapeOf } from "./shape-of.ts";

/** One problem of a message, without its values. */
export interface ExampleProblem {
  /** JSON pointer: `*` for list indexes, a placeholder for undeclared names. */
  readonly path: string;
  readonly code: string;
}

/** One change of a repair, without the message's values. */
interface ExampleChange extends Pick<ExampleProblem, "path"> {
  readonly op: "add" | "remove" | "replace";
  /** A literal of the contract, or a placeholder with kind and length. Absent for an added value. */
  readonly before?: string;
  /** As `before`. Absent for a removed value. */
  readonly after?: string;
  /** Provenance of the new value. */
  readonly from?: ProvenanceEntry["kind"];
}

/** A repair without values, for prompts about other messages. */
export interface RepairExample {
  readonly problems: readonly ExampleProblem[];
  readonly change: readonly ExampleChange[];
}

/** Maximum changes in one example; further ones are dropped. */
const CHANGES_MAX = 12;
const STEPS_MAX = 12;

/** Codes of this repository or of contracts; other texts may be data. */
const CODE = /^[a-z][a-z_]{0,39}$/;

/**
 * Returns the change that healed a message, without its values: replaces what is not in the contract by its kind and
 * length, also names of undeclared members.
 *
 * @param healed.original - The message's value, or its cheapest reading: what the diff begins from.
 */
export function makeExample(healed: {
  readonly original: JsonValue | undefined;
  readonly schema: JsonSchema;
  readonly problems: readonly ExampleProblem[];
  readonly proof: Pick<Proof, "diff" | "provenance">;
}): RepairExample {
  const literals = literalsOf(healed.schema);
  const origins = new Map(healed.proof.provenance.map(({ path, kind }) => [path, kind]));
  const change = healed.proof.diff.slice(0, CHANGES_MAX).flatMap((operation): ExampleChange[] => {
    const { op, path } = operation;
    if (op !== "add" && op !== "remove" && op !== "replace") return [];
    const before = op === "add" ? undefined : valueAt(healed.original, stepsOf(path));
    const from = origins.get(path);
    return [
      {
        op,
        path: anonymousPath(path, literals),
        ...(before === undefined ? {} : { before: placeholderOf(before, literals) }),
        // `diffValues` writes JSON values.
        ...(op === "remove" ? {} : { after: placeholderOf(operation.value as JsonValue, literals) }),
        ...(from === undefined ? {} : { from }),
      },
    ];
  });
  return { problems: anonymousProblems(healed.problems, literals), change };
}

/** A message's distinct problems without names; examples are ranked by them. */
export function problemsWithoutNames(
  problems: readonly ExampleProblem[],
  schema: JsonSchema,
): readonly ExampleProblem[] {
  return anonymousProblems(problems, literalsOf(schema));
}

function anonymousProblems(
  problems: readonly ExampleProblem[],
  literals: ContractLiterals,
): readonly ExampleProblem[] {
  const all = problems.map(({ path, code }) => ({
    path: anonymousPath(path, literals),
    code: CODE.test(code) ? code : "other",
  }));
  const once = new Map(all.map((problem) => [`${problem.path} ${problem.code}`, problem]));
  return [...once.values()].slice(0, CHANGES_MAX);
}

function placeholderOf(value: JsonValue, { listed, defaults }: ContractLiterals): string {
  const text = canonical(value);
  return listed.has(text) || defaults.has(text) ? text : shapeOf(value);
}

function anonymousPath(path: string, { names }: ContractLiterals): string {
  const steps = stepsOf(path).map((step) =>
    names.has(step) ? escapeStep(step) : /^\d+$/.test(step) ? "*" : shapeOf(step),
  );
  const shown = steps.slice(0, STEPS_MAX).map((step) => `/${step}`);
  return shown.join("") + (steps.length > STEPS_MAX ? "/…" : "");
}
