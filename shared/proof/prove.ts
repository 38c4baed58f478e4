import type { JsonSchema } from "#shared/json";
import { evidenceOf, parseCarried, parseTolerant } from "#shared/repair";
import type { Evidence } from "#shared/repair";
import {
  asksForContainer,
  below,
  isListedIn,
  isObject,
  isSameJson,
  isWithinDepth,
  leavesOf,
  nameOf,
  Places,
  validate,
  valueAt,
} from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";
import { derive, isValueOf } from "./derive.ts";
import type { Derivation } from "./derive.ts";
import { diffValues } from "./diff-values.ts";
import type { Compared, Readings } from "./diff-values.ts";
import { findAdded } from "./find-added.ts";
import { findLeftOut } from "./find-dropped.ts";
import { findLoss } from "./find-loss.ts";
import { Marks } from "./marks.ts";
import type { Objection, Proof, ProofInput, ProvenanceEntry } from "./proof.ts";
import { TwoReadings } from "./second-reading.ts";
import { gatherSources, Originals } from "./sources.ts";
import type { Sources } from "./sources.ts";

const LEAVES_MAX = 20_000;
const DEPTH_MAX = 128;
/** Maximum values that a text carries, of those that are tried as the original. */
const CARRIED_MAX = 8;

/** The original and the rules that a repair is proved against. */
export type ProofSubject = ProofInput["original"] &
  Pick<ProofInput, "schema" | "sources" | "check" | "ending">;

/** Proves a value that is proposed for a subject. */
export function proveRepair(
  { text, value, schema, sources, check, ending }: ProofSubject,
  proposed: Pick<ProofInput, "words" | "steps" | "quotes" | "second"> & {
    readonly value: JsonValue;
    readonly provenAs: ProofInput["procedure"];
  },
): Proof {
  const { value: repaired, provenAs: procedure, ...by } = proposed;
  return prove({ original: { text, value }, repaired, schema, sources, check, ending, procedure, ...by });
}

/** Proves a repair: contract, provenance of every value, locked fields, no loss. Pure; never throws. */
export function prove(input: ProofInput): Proof {
  if (!isWithinDepth(input.repaired, DEPTH_MAX) || !isWithinDepth(input.original.value ?? null, DEPTH_MAX))
    return tooLarge([]);
  const readings = readingsOf(input);
  if (input.procedure !== "first_aid") return proveBy(input, readings);
  // First aid reads nothing but the text, so the text, searched apart from the reader, has to show its values.
  const notes = input.steps ?? [];
  const evidence = evidenceOf(input.original.text, { value: input.repaired, notes }, input.schema);
  const proof = proveBy(input, readings, evidence);
  if (proof.passes) return proof;
  // It may take the answer out of what carries it; then that is the original.
  for (const carried of parseCarried(input.original.text).slice(0, CARRIED_MAX)) {
    const again = proveBy(input, { ...readings, all: [carried, ...readings.all] }, evidence);
    if (again.passes) return again;
  }
  return proof;
}

function proveBy(input: ProofInput, readings: Readings, evidence?: Evidence): Proof {
  const { repaired, schema } = input;
  const [original, ...others] = readings.all;
  const leaves = leavesOf(repaired);
  const formal = [...checkNames(repaired), ...checkContract(input)];
  if (leaves.length > LEAVES_MAX) return tooLarge(formal);
  const sources = gatherSources(input, original);
  const originals = new Originals(original === undefined ? [] : leavesOf(original));
  const places = new Places(repaired, schema);
  const before = new Places(original ?? null, schema);
  const marks = new Marks({ places: [places, before], others });
  const texts =
    input.procedure === "model" ? [...sources.texts, ...sources.scalars].map(({ text }) => text) : [];
  const byModel = new TwoReadings({ value: repaired, quotes: input.quotes ?? [] }, input.second, texts);
  const pieces = piecesIn(input.original.text, evidence);
  const ground = { input, original, originals, places, marks, sources, pieces, byModel };
  const judged = leaves.map((leaf) => judge(ground, leaf));
  const kinds = judged.map(({ entry }) => entry.kind);
  const compared: Compared = { ...ground, readings, leaves, kinds, before };
  const byPerson = input.procedure === "person";
  const isSaid = (leaf: Leaf, choices: JsonSchema): boolean => {
    const derived = deriveLeaf(ground, leaf, choices);
    return derived !== undefined && !isUnread(ground, leaf, derived, choices);
  };
  const objections = [
    ...formal,
    ...judged.flatMap((one) => one.objections),
    ...byModel.missedBy(repaired).flatMap((leaf) => unread(leaf, "invented").objections),
    ...marks.findRemoved({ originals, repaired, leaves, byPerson }),
    ...(byPerson ? [] : findAdded(compared, isSaid)),
    ...findLoss(compared),
    ...(evidence === undefined ? [] : findLeftOut(compared, evidence)),
  ];
  return {
    passes: objections.length === 0,
    objections,
    provenance: judged.map((one) => one.entry),
    // The console applies the difference to the cheapest reading.
    diff: diffValues(readings.cheapest ?? null, repaired),
    ...(evidence === undefined ? {} : { evidence }),
  };
}

/** The pieces of a text that values were read from, by the values' pointers. */
function piecesIn(text: string, evidence: Evidence | undefined): ReadonlyMap<string, readonly string[]> {
  return new Map(
    evidence?.values.map(({ path, spans }) => [path, spans.map(({ start, end }) => text.slice(start, end))]),
  );
}

function tooLarge(objections: readonly Objection[]): Proof {
  const objection: Objection = {
    path: "",
    code: "limit",
    message: "too large or too deep to be proved value by value",
  };
  return { passes: false, objections: [...objections, objection], provenance: [], diff: [] };
}

/** Rejects names that attack JavaScript objects (`__proto__`), at any depth. */
function checkNames(value: JsonValue, path = ""): Objection[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => checkNames(item, below(path, index)));
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const inner = below(path, key);
    if (key === "__proto__")
      return [{ path: inner, code: "prototype" as const, message: "this name is never let through" }];
    return checkNames(value[key] ?? null, inner);
  });
}

function checkContract({ repaired, schema, check }: ProofInput): Objection[] {
  const issues = validate(repaired, schema);
  if (issues.length > 0) return issues.map(({ path, message }) => ({ path, code: "contract", message }));
  try {
    return (check?.(repaired) ?? []).map(({ path, message }) => ({ path, code: "content", message }));
  } catch {
    return [{ path: "", code: "content", message: "the contract's own check failed on this value" }];
  }
}

/** The original's value, or all readings of its text; one without brackets may be lines of names and values. */
function readingsOf({ original: { text, value }, schema, steps = [], procedure }: ProofInput): Readings {
  if (value !== undefined) return { all: [value], cheapest: value, steps: [] };
  const read = parseTolerant(text);
  const own = [...(read[0]?.notes ?? []), ...(procedure === "first_aid" ? steps : [])];
  const found = read.map((reading) => reading.value);
  const isData = found.some((one) => typeof one === "object") || !asksForContainer(schema);
  const lines = isData ? [] : parseCarried(text).slice(0, 1);
  return { all: [...lines, ...found], cheapest: found[0], steps: own.map(({ step }) => step) };
}

interface Ground extends Pick<Compared, "input" | "original" | "originals" | "places" | "byModel"> {
  readonly marks: Marks;
  readonly sources: Sources;
  readonly pieces: ReadonlyMap<string, readonly string[]>;
}

interface Judged {
  readonly entry: ProvenanceEntry;
  readonly objections: readonly Objection[];
}

function judge(ground: Ground, leaf: Leaf): Judged {
  const { input, original } = ground;
  const before = valueAt(original, leaf.steps);
  const isSame = before !== undefined && isSameJson(before, leaf.value);
  if (isSame && ground.marks.isClear) return accepted(leaf, "unchanged", "as in the original");
  const marks = ground.marks.of(leaf);
  // A value that needs two people is closed to machines, locked or not.
  const isLocked = (marks.isLocked || marks.needsTwo) && input.procedure !== "person";
  if (isLocked && ground.marks.isDisputed(leaf)) {
    const message = "the text can be read in ways that differ here, and only a person may choose";
    return objected(leaf, { kind: "invented", code: "locked", message });
  }
  if (isSame) return accepted(leaf, "unchanged", "as in the original");
  if (isLocked) return judgeLocked(ground, leaf);
  const at = { schema: ground.places.schemaAt(leaf)?.schema ?? {}, ...marks };
  if (at.needsTwo && input.procedure === "person") {
    return objected(leaf, {
      kind: "person",
      code: "second_person",
      message: "a change here needs a second person",
    });
  }
  const derived = deriveLeaf(ground, leaf, at.schema);
  if (derived !== undefined && !isUnread(ground, leaf, derived, at.schema))
    return accepted(leaf, derived.kind, derived.detail);
  if (derived !== undefined) return unread(leaf, derived.kind);
  if (isReadWord(ground, leaf, at.schema))
    return accepted(leaf, "coerced", "a word of the original that the recipe reads as this member");
  if (input.procedure === "person") return accepted(leaf, "person", "written by a person");
  return objected(leaf, {
    kind: "invented",
    code: "invented",
    message: "this value follows from no source and not from the contract",
  });
}

function deriveLeaf(ground: Ground, leaf: Leaf, schema: JsonSchema): Derivation | undefined {
  const { input, sources, originals, byModel, pieces } = ground;
  const mayRead = input.procedure === "model";
  return derive({
    leaf,
    schema,
    root: input.schema,
    sources,
    originals,
    mayRead,
    pieces: mayRead ? byModel.pieces(leaf) : (pieces.get(leaf.path) ?? []),
  });
}

/** A value that no rule gives counts if another reading of the text comes to the same. */
function isUnread(
  { input, original, originals, byModel }: Ground,
  leaf: Leaf,
  { kind }: Derivation,
  schema: JsonSchema,
): boolean {
  if (input.procedure !== "model" || kind === "surgeon_text") return false;
  if (input.second !== undefined) return !byModel.agreeOn(leaf);
  if (kind === "contract") return false;
  const named = originals.named(nameOf(leaf.steps));
  const before = valueAt(original, leaf.steps) ?? (named.length === 1 ? named[0]?.value : undefined);
  return before === undefined || !isValueOf(before, leaf, { schema, root: input.schema });
}

/** A recipe may map one word of the original to one enum member, as was proved for its first message. */
function isReadWord({ input, originals }: Ground, leaf: Leaf, schema: JsonSchema): boolean {
  const word = input.procedure === "recipe" ? input.words?.get(leaf.path) : undefined;
  if (word === undefined || word === null || typeof word === "object") return false;
  if (typeof word === "string" && word.trim() === "") return false;
  return (
    isListedIn(leaf.value, schema, input.schema) &&
    !isListedIn(word, schema, input.schema) &&
    originals.leaves.some(({ value }) => isSameJson(value, word))
  );
}

/** A locked value may move out of a wrapper or a renamed path, if the original has exactly one value of that name. */
function judgeLocked({ originals }: Ground, leaf: Leaf): Judged {
  const name = nameOf(leaf.steps);
  const same = originals.named(name);
  const [only] = same;
  if (same.length === 1 && only !== undefined && isSameJson(only.value, leaf.value)) {
    return accepted(leaf, "original", `moved unchanged from ${only.path || "/"}`);
  }
  return objected(leaf, { kind: "invented", code: "locked", message: "only a person may write this field" });
}

function unread(leaf: Leaf, kind: ProvenanceEntry["kind"]): Judged {
  const message = "only the sense of a text gives this value, and no second reading of the text agrees";
  return objected(leaf, { kind, code: "unread", message });
}

function accepted(leaf: Leaf, kind: ProvenanceEntry["kind"], detail: string): Judged {
  return { entry: { path: leaf.path, kind, detail }, objections: [] };
}

function objected(
  leaf: Leaf,
  why: { kind: ProvenanceEntry["kind"]; code: Objection["code"]; message: string },
): Judged {
  const objection: Objection = { path: leaf.path, code: why.code, value: leaf.value, message: why.message };
  return { entry: { path: leaf.path, kind: why.kind, detail: why.message }, objections: [objection] };
}
