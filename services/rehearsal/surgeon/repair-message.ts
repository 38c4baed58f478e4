import { z } from "zod";
import { toIssues } from "#shared/contract";
import type { JsonSchema } from "#shared/json";
import { stepsOf } from "#shared/json";
import { parseTolerant } from "#shared/repair";
import { findValue } from "./find-value.ts";
import { schemaAt, valueAt, withValueAt } from "./places.ts";

export const SURGEON_STEP = "repair";
export const READING_STEP = "read";

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
  writable: z.array(z.string()).catch([]),
});

/** The surgeon's answer, as its schema requires. */
export interface RepairAnswer {
  readonly verdict: "repaired" | "irreparable";
  /** The whole payload as JSON; empty when irreparable. */
  readonly payload: string;
  /** It only copies values verbatim, which need none. */
  readonly quotes: readonly never[];
  readonly reason: string;
  /** It learns nothing. */
  readonly recipe: null;
}

/**
 * Stand-in of the strong model. It understands nothing: it searches the question for a value that fits, and sometimes
 * makes one up, so that the proof has something to catch.
 */
export function repairMessage(input: unknown, random: () => number): RepairAnswer {
  const question = questionSchema.safeParse(input);
  if (!question.success) return irreparable("The question is not one I can read.");
  const { message, contract, original_query: query, history, writable, problems: given } = question.data;
  const { schema } = contract;
  const start = readMessage(message) ?? {};
  const search = {
    trees: [start, history],
    texts: [query, message].map((text) => text.slice(0, TEXT_CHARACTERS_MAX)),
    invents: random() < INVENTED_SHARE ? random : null,
  };
  let value: unknown = start;
  // The schema cannot find faults of meaning, so those in the question come first.
  let problems: readonly Problem[] = [...given, ...findFaults(value, schema)].slice(0, PROBLEMS_MAX);
  for (let round = 0; round < ROUNDS_MAX && problems.length > 0; round += 1) {
    for (const { path, code } of problems) {
      const steps = stepsOf(path);
      const wanted = schemaAt(schema, steps);
      const present = valueAt(value, steps);
      if (code === "unknown_field") value = withValueAt(value, steps, undefined);
      else if (wanted !== null && (search.invents !== null || mayWrite(path, wanted, writable)))
        value = withValueAt(
          value,
          steps,
          findValue({ name: steps.at(-1) ?? "", schema: wanted, present }, search) ?? present,
        );
    }
    problems = findFaults(value, schema);
  }
  if (problems.length > 0) return irreparable("The message and the request do not say what is missing.");
  const reason = "Each value stands in the message or the request, or is the usual one.";
  return { verdict: "repaired", payload: JSON.stringify(value), quotes: [], reason, recipe: null };
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

/** Reads the JSON in a message, however damaged. Undefined for none. */
function readMessage(message: string): unknown {
  // The question quotes a message between lines with marks, which are no part of it.
  const text = message.slice(0, MESSAGE_CHARACTERS_MAX).replaceAll(/^<<.*>>$/gm, "");
  return parseTolerant(text.trim())
    .map(({ value }) => value)
    .find((value) => typeof value === "object" && value !== null);
}

function findFaults(value: unknown, schema: JsonSchema): readonly Problem[] {
  try {
    const parsed = z.fromJSONSchema(schema).safeParse(value);
    return parsed.success ? [] : toIssues(parsed.error).slice(0, PROBLEMS_MAX);
  } catch {
    return [{ path: "", code: "schema_unreadable" }];
  }
}

function mayWrite(path: string, schema: JsonSchema, writable: readonly string[]): boolean {
  const pointer = path.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return (
    schema["x-locked"] !== true &&
    (writable.length === 0 ||
      writable.some((each) => [pointer, path].some((own) => `${own}/`.startsWith(`${each}/`))))
  );
}
