import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import { isRecord, stepsOf } from "#shared/json";
import { coerceValue } from "./coerce-value.ts";
import { findFaults } from "./find-faults.ts";
import type { Problem } from "./find-faults.ts";
import { findTwinKey } from "./find-twin-key.ts";
import { inventValue } from "./invent-value.ts";
import { valueAt, withValueAt, writePointer } from "./pointer.ts";
import { readMessage } from "./read-message.ts";
import { schemaAt } from "./schema-at.ts";
import { searchValue } from "./search-value.ts";

export const SURGEON_STEP = "repair";
export const READING_STEP = "read";

/** Maximum rounds: a repaired object may reveal faults inside it. */
const ROUNDS_MAX = 4;
const PROBLEMS_MAX = 200;
/** Maximum characters searched in one text. */
const TEXT_CHARACTERS_MAX = 50_000;
/** Share of missing values that the stand-in invents, as models do; otherwise it answers irreparable. */
const INVENTED_SHARE = 0.35;
/** Vague quantities that are always turned into an invented number. */
const VAGUE = /\b(a few|several|a couple of|dozens of|lots of|plenty of)\b/i;

const questionSchema = z.object({
  message: z.string(),
  problems: z.array(z.object({ path: z.string(), code: z.string() })).catch([]),
  contract: z.object({ schema: z.record(z.string(), z.unknown()) }),
  original_query: z.string().catch(""),
  history: z.unknown().optional(),
  /** JSON pointers; empty or absent: everything that the contract does not lock. */
  writable: z.array(z.string()).catch([]),
});

interface Operation {
  readonly schema: JsonSchema;
  readonly writable: readonly string[];
  /** Texts to search for values, best first. */
  readonly texts: readonly string[];
  readonly isInventive: boolean;
  readonly random: () => number;
  /** Repairs made, for the reason. */
  readonly notes: string[];
  readonly renames: { readonly op: "rename"; readonly path: string; readonly to: string }[];
}

/** The surgeon's answer, as its schema requires. */
export interface RepairAnswer {
  readonly verdict: "repaired" | "irreparable";
  /** The whole payload as JSON; empty when irreparable. */
  readonly payload: string;
  /** It only copies values verbatim, which need none. */
  readonly quotes: readonly never[];
  readonly reason: string;
  /** A recipe as JSON when only names are at fault; else null. */
  readonly recipe: string | null;
}

/** Stand-in of the strong model: repairs the message with the question's information alone. */
export function repairMessage(input: unknown, random: () => number): RepairAnswer {
  const question = questionSchema.safeParse(input);
  if (!question.success) return irreparable("The question is not one I can read.");
  const { message, contract, original_query: originalQuery, history, writable, problems } = question.data;
  const operation: Operation = {
    schema: contract.schema,
    writable,
    texts: [originalQuery, message, history === undefined ? "" : JSON.stringify(history)]
      .filter((text) => text !== "")
      .map((text) => text.slice(0, TEXT_CHARACTERS_MAX)),
    isInventive: random() < INVENTED_SHARE || VAGUE.test(message),
    random,
    notes: [],
    renames: [],
  };
  const start = readMessage(message) ?? (contract.schema["type"] === "array" ? [] : {});
  const mended = mend(start, problems.slice(0, PROBLEMS_MAX), operation);
  if (mended === null) return irreparable("The message and the request do not say what is missing.");
  const isNamesAlone = operation.renames.length > 0 && operation.renames.length === operation.notes.length;
  return {
    verdict: "repaired",
    payload: JSON.stringify(mended),
    quotes: [],
    reason: operation.notes.join(" ") || "The message could be read as it stands.",
    recipe: isNamesAlone ? JSON.stringify({ version: 1, operations: operation.renames }) : null,
  };
}

/** Stand-in of the reading apart from the repair: it reads as it repairs, and quotes nothing. */
export function readMessageAgain(
  input: unknown,
  random: () => number,
): { readonly quotes: readonly never[]; readonly payload: string } {
  return { quotes: [], payload: repairMessage(input, random).payload };
}

function irreparable(reason: string): RepairAnswer {
  return { verdict: "irreparable", payload: "", quotes: [], reason, recipe: null };
}

/** Repairs every fault; null when one remains. */
function mend(start: unknown, given: readonly Problem[], operation: Operation): unknown {
  let value = start;
  // The schema cannot find semantic faults, so those in the question come first.
  let problems = [
    ...given.filter(({ code }) => !isOfForm(code)),
    ...(findFaults(value, operation.schema) ?? given),
  ];
  for (let round = 0; round < ROUNDS_MAX && problems.length > 0; round += 1) {
    for (const problem of problems.slice(0, PROBLEMS_MAX)) {
      const next = mendPlace(value, problem, operation);
      if (next === null) return null;
      value = next.value;
    }
    problems = [...(findFaults(value, operation.schema) ?? [])];
  }
  return problems.length === 0 ? value : null;
}

/** Returns true for codes of schema checks, whose faults are found again by validation. */
function isOfForm(code: string): boolean {
  return /^(unknown_field|unrecognized_keys|invalid_|too_|not_multiple_of|parse_|missing|syntax)/.test(code);
}

interface Place {
  readonly pointer: string;
  readonly path: readonly string[];
  readonly name: string;
  readonly present: unknown;
}

function mendPlace(value: unknown, problem: Problem, operation: Operation): Mended | null {
  const path = stepsOf(problem.path);
  const place: Place = {
    pointer: problem.path,
    path,
    name: path.at(-1) ?? "",
    present: valueAt(value, path),
  };
  if (problem.code === "unknown_field") return mendUnknownField(value, place, operation);
  const schema = schemaAt(operation.schema, path);
  if (schema === null || !mayWrite(place, schema, operation)) return null;
  const wanted = { name: place.name, schema };
  const isOfMeaning = !isOfForm(problem.code);
  const coerced = isOfMeaning ? undefined : coerceValue(place.present, wanted);
  if (coerced !== undefined) return put(value, place, { found: coerced, how: "was read", operation });
  const twin = place.present === undefined ? twinOf(value, place, schema, operation) : undefined;
  if (twin !== undefined) return rename(value, { ...place, twin, schema }, operation);
  const found = searchValue(wanted, operation.texts);
  if (found !== undefined && found !== place.present) {
    return put(value, place, { found, how: "was found in the text", operation });
  }
  if ("default" in schema) {
    return put(value, place, { found: schema["default"], how: "has the contract's default", operation });
  }
  const invented = operation.isInventive ? inventValue(wanted, operation.random) : undefined;
  return invented === undefined
    ? null
    : put(value, place, { found: invented, how: "has its usual value", operation });
}

/** A value with one repair. */
interface Mended {
  readonly value: unknown;
}

function put(
  value: unknown,
  place: Place,
  { found, how, operation }: { readonly found: unknown; readonly how: string; readonly operation: Operation },
): Mended {
  operation.notes.push(`${place.pointer} ${how}.`);
  return { value: withValueAt(value, place.path, found) };
}

/** Models mostly keep to writable fields; one that invents values does not. */
function mayWrite(place: Place, schema: JsonSchema, operation: Operation): boolean {
  if (operation.isInventive) return true;
  if (schema["x-locked"] === true) return false;
  const pointer = place.pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return (
    operation.writable.length === 0 ||
    operation.writable.some((each) =>
      [pointer, place.pointer].some((own) => `${own}/`.startsWith(`${each}/`)),
    )
  );
}

/** A sibling key with the same meaning that the contract does not know. */
function twinOf(value: unknown, place: Place, schema: JsonSchema, operation: Operation): string | undefined {
  const parentPath = place.path.slice(0, -1);
  const parent = valueAt(value, parentPath);
  const properties = schemaAt(operation.schema, place.path.slice(0, -1))?.["properties"];
  if (!isRecord(parent) || !isRecord(properties)) return undefined;
  const strangers = Object.keys(parent).filter((key) => !Object.hasOwn(properties, key));
  return findTwinKey(place.name, strangers, aliasesOf(schema));
}

function aliasesOf(schema: JsonSchema): readonly string[] {
  const aliases = schema["x-aliases"];
  return Array.isArray(aliases) ? aliases.map(String) : [];
}

function rename(
  value: unknown,
  place: Place & { readonly twin: string; readonly schema: JsonSchema },
  operation: Operation,
): Mended {
  const parentPath = place.path.slice(0, -1);
  const from = [...parentPath, place.twin];
  const moved = valueAt(value, from);
  operation.notes.push(`${place.pointer} stood under another name.`);
  operation.renames.push({ op: "rename", path: writePointer(from), to: place.name });
  return { value: withValueAt(withValueAt(value, from, undefined), place.path, moved) };
}

/** Renames an unknown key to a missing one, or removes it. */
function mendUnknownField(value: unknown, place: Place, operation: Operation): Mended {
  const parentPath = place.path.slice(0, -1);
  const parent = valueAt(value, parentPath);
  const properties = schemaAt(operation.schema, parentPath)?.["properties"];
  if (!isRecord(parent) || !isRecord(properties) || place.present === undefined) return { value };
  for (const [name, schema] of Object.entries(properties)) {
    const isMissing = isRecord(schema) && !Object.hasOwn(parent, name);
    if (isMissing && findTwinKey(name, [place.name], aliasesOf(schema)) !== undefined) {
      const pointer = writePointer([...parentPath, name]);
      const target = {
        pointer,
        path: [...parentPath, name],
        name,
        present: undefined,
        twin: place.name,
        schema,
      };
      return rename(value, target, operation);
    }
  }
  operation.notes.push(`${place.pointer} is not part of the contract.`);
  return { value: withValueAt(value, place.path, undefined) };
}
