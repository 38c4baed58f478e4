import { prove } from "#shared/proof";
import type { Proof } from "#shared/proof";
import { firstAid, parseTolerant } from "#shared/repair";
import { leavesOf, valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { corpusCases, SPLITS } from "../case.ts";
import type { CorpusCase, Split } from "../case.ts";
import { judgeAll } from "../judge-answers.ts";
import type { Judged } from "../judge-answers.ts";

type Counts = Readonly<Record<string, number>>;

/** What the proof says of first aid's answers in one split. */
export interface SplitProof {
  readonly wrong: number;
  readonly wrong_stopped: number;
  /** Wrong answers that were stopped, by the codes of the objections. */
  readonly wrong_stopped_by: Counts;
  /** Wrong answers that passed, by what the proof takes the wrong values for. */
  readonly wrong_passed_as: Counts;
  readonly exact: number;
  readonly exact_stopped: number;
  /** Right answers that were stopped, by the codes of the objections. */
  readonly exact_stopped_by: Counts;
}

/** A case of `development` on which proof and oracle disagree. */
export interface ProofFailure {
  readonly id: string;
  readonly verdict: "wrong, passed" | "right, stopped";
  readonly text: string;
  readonly schema: CorpusCase["schema"];
  readonly right: CorpusCase["right"];
  readonly got: JsonValue;
  readonly because: string;
  readonly objections: Proof["objections"];
}

interface Proved {
  readonly case: CorpusCase;
  readonly isRight: boolean;
  readonly got: JsonValue;
  readonly proof: Proof;
}

/** Proves each answer of first aid as the surgeon does before it sends one. Nothing held out is listed one by one. */
export async function proveAnswers(): Promise<{
  splits: Readonly<Record<Split, SplitProof>>;
  failures: ProofFailure[];
}> {
  const judged = await judgeAll(corpusCases(), (input, schema) => {
    const result = firstAid(input, schema);
    return result.ok ? result.value : undefined;
  });
  const proved = judged.flatMap(provedOf);
  const of = (split: Split): SplitProof => scoreOf(proved.filter((one) => one.case.split === split));
  const [development, kinds, contracts, both] = SPLITS;
  return {
    splits: {
      development: of(development),
      held_out_kinds: of(kinds),
      held_out_contracts: of(contracts),
      held_out_both: of(both),
    },
    failures: proved.filter((one) => one.case.split === "development").flatMap(failureOf),
  };
}

function provedOf({ case: one, verdict, got }: Judged<CorpusCase>): Proved[] {
  if (got === undefined) return [];
  const proof = prove({
    original: subjectOf(one.input),
    repaired: got,
    schema: one.schema ?? {},
    sources: {},
    procedure: "first_aid",
    steps: firstAid(one.input, one.schema).notes,
  });
  return [{ case: one, isRight: verdict === "exact", got, proof }];
}

/** The text and value of a dead message, as the ward reads it: JSON inside a text is opened up to three times. */
function subjectOf(text: string): { text: string; value: JsonValue | undefined } {
  let own = { text, value: parsed(text) };
  for (let depth = 0; depth < 3 && typeof own.value === "string"; depth += 1)
    own = { text: own.value, value: parsed(own.value) };
  return own;
}

function parsed(text: string): JsonValue | undefined {
  try {
    // JSON.parse returns only JSON values.
    const value = JSON.parse(text) as JsonValue;
    return typeof value !== "object" || value === null || parseTolerant(text).length === 1
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

function scoreOf(proved: readonly Proved[]): SplitProof {
  const wrong = proved.filter(({ isRight }) => !isRight);
  const exact = proved.filter(({ isRight }) => isRight);
  const stopped = (some: readonly Proved[]): Proved[] => some.filter(({ proof }) => !proof.passes);
  return {
    wrong: wrong.length,
    wrong_stopped: stopped(wrong).length,
    wrong_stopped_by: counted(stopped(wrong).map(codesOf)),
    wrong_passed_as: counted(wrong.filter(({ proof }) => proof.passes).map(passedAs)),
    exact: exact.length,
    exact_stopped: stopped(exact).length,
    exact_stopped_by: counted(stopped(exact).map(codesOf)),
  };
}

function counted(names: readonly string[]): Counts {
  return Object.fromEntries(
    Object.entries(Object.groupBy(names, (name) => name))
      .map(([name, some]) => [name, some?.length ?? 0] as const)
      .toSorted(([, a], [, b]) => b - a),
  );
}

function codesOf({ proof }: Proved): string {
  return [...new Set(proof.objections.map(({ code }) => code))].toSorted().join(", ");
}

/** What the proof takes the values for that are not in the right answer. */
function passedAs({ case: { right }, got, proof }: Proved): string {
  if ("refusal" in right) return "answer to a text that has none";
  const leaves = new Set(leavesOf(right.value).map(({ path, value }) => `${path} ${JSON.stringify(value)}`));
  const others = leavesOf(got).filter(({ path, value }) => !leaves.has(`${path} ${JSON.stringify(value)}`));
  const paths = new Set(others.map(({ path }) => path));
  const kinds = new Set(proof.provenance.flatMap(({ path, kind }) => (paths.has(path) ? [kind] : [])));
  const isShort = leavesOf(right.value).some(({ steps }) => valueAt(got, steps) === undefined);
  return [...[...kinds].toSorted(), ...(isShort ? ["value left out"] : [])].join(", ");
}

function failureOf(one: Proved): ProofFailure[] {
  const { id, input: text, schema, right } = one.case;
  if (one.isRight === one.proof.passes) return [];
  return [
    {
      id,
      verdict: one.isRight ? "right, stopped" : "wrong, passed",
      text,
      schema,
      right,
      got: one.got,
      because: one.isRight ? codesOf(one) : passedAs(one),
      objections: one.proof.objections,
    },
  ];
}
