import { z } from "zod";
import { toIssues } from "#shared/contract";
import { stepsOf } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { parseTolerant } from "#shared/repair";
import { Places, valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { replaceAt, pick } from "./faults.ts";

/** Maximum rounds: a repaired object may reveal faults inside it. */
const ROUNDS_MAX = 4;
const PROBLEMS_MAX = 200;
const TEXT_CHARACTERS_MAX = 50_000;
const MESSAGE_CHARACTERS_MAX = 200_000;
/** Share of questions in which the stand-in makes up what it does not find, as models do. */
const INVENTED_SHARE = 0.35;

const problemSchema = z.object({ path: z.string(), code: z.string() });
type Problem = z.output<typeof problemSchema>;

const questionSchema = z.object({
  message: z.string(),
  problems: z.array(problemSchema).catch([]),
  contract: z.object({ schema: z.record(z.string(), z.unknown()) }),
  original_query: z.string().catch(""),
  history: z.unknown().optional(),
  /** JSON pointers; empty or absent: everything that the contract does not lock. */
});

/**
 * Stand-in of the strong model. Searches the question for a value that fits, and sometimes invents one for the proof to
 * catch. @returns The whole payload as JSON, empty when irreparable; quotes and learns nothing.
 */
export function repairMessage(input: unknown, random: () => number) {
  const question = questionSchema.safeParse(input);
  if (!question.success) return irreparable("The question is not one I can read.");
  const { message, contract, original_query: query, history, problems: given } = question.data;
  const { schema } = contract;
  let value = readMessage(message);
  const search = {
    trees: [value, history],
    texts: [query, message].map((text) => text.slice(0, TEXT_CHARACTERS_MAX)),
    invents: random() < INVENTED_SHARE ? random : null,
  };
  // The schema cannot find faults of meaning, so those in the question come first.
  let problems: readonly Problem[] = [...given, ...findFaults(value, schema)].slice(0, PROBLEMS_MAX);
  for (let round = 0; round < ROUNDS_MAX && problems.length > 0; round += 1) {
    for (const { path, code } of problems) {
      const steps = stepsOf(path);
      const wanted = new Places(value, schema).schemaAt({ path, steps });
      const mayWrite = wanted !== undefined && !wanted.isLocked && !wanted.needsTwo;
      if (code !== "unknown_field" && !mayWrite && (wanted === undefined || search.invents === null))
        continue;
      const present = valueAt(value, steps);
      const found =
        code === "unknown_field"
          ? undefined
          : (findValue({ name: steps.at(-1) ?? "", schema: wanted?.schema ?? {}, present }, search) ??
            present);
      // Safe: both come from JSON.
      value = replaceAt(value, steps, found) as JsonValue;
    }
    problems = findFaults(value, schema);
  }
  if (problems.length > 0) return irreparable("The message and the request do not say what is missing.");
  const reason = "Each value stands in the message or the request, or is the usual one.";
  return { verdict: "repaired", payload: JSON.stringify(value), quotes: [], reason, recipe: null };
}

function irreparable(reason: string) {
  return { verdict: "irreparable", payload: "", quotes: [], reason, recipe: null };
}

/** Reads the JSON in a message, however damaged; an empty object for none. */
function readMessage(message: string): JsonValue {
  // The question quotes a message between lines with marks, which are no part of it.
  const text = message.slice(0, MESSAGE_CHARACTERS_MAX).replaceAll(/^<<.*>>$/gm, "");
  const found = parseTolerant(text.trim()).find(({ value }) => typeof value === "object" && value !== null);
  return found?.value ?? {};
}

function findFaults(value: unknown, schema: JsonSchema): readonly Problem[] {
  try {
    const parsed = z.fromJSONSchema(schema).safeParse(value);
    return parsed.success ? [] : toIssues(parsed.error).slice(0, PROBLEMS_MAX);
  } catch {
    return [{ path: "", code: "schema_unreadable" }];
  }
}

/** A field to fill, and what stands there. */
interface Wanted {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly present: unknown;
}

interface Search {
  /** JSON in which a key of the same name is looked for. */
  readonly trees: readonly unknown[];
  /** Texts, best first. */
  readonly texts: readonly string[];
  /** Makes up what is not found; null where it must not. */
  readonly invents: (() => number) | null;
}

const DEPTH_MAX = 12;
const FREE_TEXT_CHARACTERS_MAX = 300;
const WORD = /[\p{L}\p{N}](?:\S*[\p{L}\p{N}])?/gu;

/** Finds a field's value: what stands there, a key of its name elsewhere, or the only word of a text that fits. */
function findValue({ name, schema, present }: Wanted, { trees, texts, invents }: Search): unknown {
  const fits = fitsOf(schema);
  const candidates = [present, ...trees.flatMap((tree) => valuesNamed(plain(name), tree))].map((one) =>
    fits(one) || one === undefined
      ? one
      : onlyFit({ schema, fits }, typeof one === "string" ? one : JSON.stringify(one)),
  );
  const found = [...candidates, ...texts.map((text) => onlyFit({ schema, fits }, text))].find(
    (one) => one !== undefined && one !== present,
  );
  return found ?? schema["default"] ?? (invents === null ? undefined : inventValue(schema, invents));
}

/** Values of keys that differ from a name in case and punctuation at most. */
function valuesNamed(name: string, tree: unknown, depth = 0): unknown[] {
  if (depth > DEPTH_MAX || typeof tree !== "object" || tree === null) return [];
  return Object.entries(tree).flatMap(([key, value]) => [
    ...(!Array.isArray(tree) && plain(key) === name ? [value] : []),
    ...valuesNamed(name, value, depth + 1),
  ]);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, "");
}

function fitsOf(schema: JsonSchema): (value: unknown) => boolean {
  try {
    const known = z.fromJSONSchema(schema);
    return (value) => value !== undefined && known.safeParse(value).success;
  } catch {
    return () => false;
  }
}

/** Returns the only thing in a text that fits; undefined for none, or for several that differ. */
function onlyFit(
  { schema, fits }: { readonly schema: JsonSchema; readonly fits: (value: unknown) => boolean },
  text: string,
): unknown {
  const { type, pattern, format } = schema;
  const read = (): readonly unknown[] => {
    const members = membersOf(schema);
    if (members !== null) return members.filter((member) => standsIn(text, String(member)));
    const words = text.match(WORD) ?? [];
    if (type === "number" || type === "integer") return words.map((word) => Number(word.replace(",", ".")));
    if (type !== "string") return [];
    if (pattern !== undefined || format !== undefined) return words;
    const length = Number(schema["maxLength"] ?? FREE_TEXT_CHARACTERS_MAX);
    return schema["x-surgeon-writes"] === true ? [text.trim().slice(0, length)] : [];
  };
  const found = new Set(read().filter(fits));
  return found.size === 1 ? [...found][0] : undefined;
}

function standsIn(text: string, member: string): boolean {
  return text.toLowerCase().includes(member.toLowerCase().replaceAll(/[_-]+/g, " "));
}

/** Members of an enum or const; null for other schemas. */
function membersOf(schema: JsonSchema): readonly unknown[] | null {
  if ("const" in schema) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : null;
}

/** Makes up a value that fits a simple schema; undefined for others. */
function inventValue(schema: JsonSchema, random: () => number): unknown {
  const { type, pattern, format } = schema;
  const members = membersOf(schema);
  if (members !== null) return pick(members, random);
  if (type === "integer") return Math.max(Number(schema["minimum"] ?? 1), 1 + Math.floor(random() * 9));
  if (type === "number") return Math.round(1_000 + random() * 9_000) / 100;
  return type === "string" && pattern === undefined && format === undefined ? "Not specified" : undefined;
}
