import type { ModelImage } from "#shared/model";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { URL } from "node:url";
import { z } from "zod";
import { canonical } from "#shared/schema";
import type { JsonValue } from "#shared/schema";

/** Answers for a model in a rehearsal from input and pictures, or calls tools by `callTools`. `random` is seeded. */
export type StandIn = (
  input: never,
  random: () => number,
  images?: readonly ModelImage[],
  tools?: StandInTools,
) => unknown;

/** The tools of a step, as its stand-in sees them. */
export interface StandInTools {
  /** Names of the tools that it may call now. Empty: it has to answer. */
  readonly offered: readonly string[];
  /** Its earlier calls, oldest first, with the results that the model would read. */
  readonly results: readonly {
    readonly tool: string;
    readonly arguments: unknown;
    readonly outcome: unknown;
  }[];
}

/** Calls that a stand-in asks for instead of answering. */
export class StandInCalls {
  readonly calls: readonly { readonly tool: string; readonly arguments: JsonValue }[];

  constructor(calls: StandInCalls["calls"]) {
    this.calls = calls;
  }
}

/**
 * Lets a stand-in call tools: return the value instead of an answer. The stand-in is asked again with the results.
 * @example callTools({ tool: "search", arguments: { text: "price" } })
 */
export function callTools(...calls: StandInCalls["calls"]): StandInCalls {
  return new StandInCalls(calls);
}

/** One line of a file of recordings: the good answer of one model call, or the tools that the model calls first. */
const recordingSchema = z.object({
  /** Id of the sample that it was recorded with. */
  sample: z.string(),
  step: z.string(),
  /** `recordingKey` of the call. */
  key: z.string(),
  answer: z.unknown().optional(),
  calls: z.array(z.object({ tool: z.string(), arguments: z.unknown() })).optional(),
});

type Recording = z.output<typeof recordingSchema>;

/** Identifies a model call by its step, its input, and what earlier tool calls returned. 16 hex digits. */
export function recordingKey(step: string, input: unknown, results: readonly unknown[] = []): string {
  // The input of a model is JSON.
  const asked = canonical([step, input, ...results] as JsonValue);
  return createHash("sha256").update(asked).digest("hex").slice(0, 16);
}

/**
 * Stand-ins that answer from recordings: JSON lines of `sample`, `step`, `key` and `answer` or `calls`. The file is
 * read at the first call.
 * @param otherwise - By step: what a call without a recording is answered with, such as what the contract has for
 * "cannot tell". Its steps are those that the result has.
 */
export function recorded<Step extends string>(
  file: URL,
  otherwise: Readonly<Record<Step, StandIn>>,
): Readonly<Record<Step, StandIn>> {
  let known: ReadonlyMap<string, Recording> | undefined;
  const standIn =
    (step: string, instead: StandIn): StandIn =>
    (input, random, images, tools) => {
      known ??= readRecordings(file);
      const recording = known.get(recordingKey(step, input, tools?.results));
      if (recording === undefined) return instead(input, random, images, tools);
      if (recording.calls === undefined) return recording.answer;
      // Read from JSON.
      return new StandInCalls(recording.calls as StandInCalls["calls"]);
    };
  const steps = Object.entries<StandIn>(otherwise).map(([step, instead]) => [step, standIn(step, instead)]);
  // The same steps as `otherwise` has.
  return Object.fromEntries(steps) as Record<Step, StandIn>;
}

function readRecordings(file: URL): ReadonlyMap<string, Recording> {
  const lines = readFileSync(file, "utf8").split("\n");
  const recordings = lines.flatMap((line) =>
    line.trim() === "" ? [] : [recordingSchema.parse(JSON.parse(line))],
  );
  return new Map(recordings.map((one) => [one.key, one]));
}
