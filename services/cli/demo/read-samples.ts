import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "#shared/envelope/json";
import type { Team } from "#shared/runtime";
import { CommandRefusedError } from "../errors.ts";

/** A task for a team's entry agent, with its label. */
const taskLine = z.object({
  id: z.string().min(1),
  user: z.string().min(1).optional(),
  email: z.unknown().optional(),
  input: z.unknown().optional(),
  label: z.object({ language: z.string().optional() }).optional(),
});

/** A payload as an outside producer sends it to one agent, more often wrong than right. */
const messageLine = z.object({
  id: z.string().min(1),
  target_agent: z.string(),
  contract: z.string(),
  data_payload: z.unknown(),
  original_query: z.string().default(""),
  expect: z.string().default(""),
});

const sampleLine = z.union([messageLine, taskLine]);

export interface TaskSample {
  readonly kind: "task";
  readonly id: string;
  readonly team: string;
  readonly input: unknown;
  /** Who asks; samples of one conversation have the same. */
  readonly user: string;
  /** The team's: what the input names as `{"$file": …}` is read from there. */
  readonly folder: string;
  readonly locale: string | null;
}

export interface MessageSample {
  readonly kind: "message";
  readonly id: string;
  readonly team: string;
  readonly target_agent: string;
  readonly contract: string;
  readonly data_payload: unknown;
  readonly original_query: string;
  readonly expect: string;
}

export type Sample = TaskSample | MessageSample;

/** Every line of `<teams folder>/<team>/samples/*.jsonl`, tasks before messages. @throws {CommandRefusedError} */
export function readSamples(teamsDir: string, teams: readonly Team[]): Sample[] {
  const samples = teams.flatMap(({ name }) => {
    const folder = join(teamsDir, name, "samples");
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".jsonl")) : [];
    return files
      .toSorted()
      .flatMap((file) => readFile({ folder: join(teamsDir, name), file: join("samples", file), team: name }));
  });
  return [
    ...samples.filter(({ kind }) => kind === "task"),
    ...samples.filter(({ kind }) => kind === "message"),
  ];
}

interface SampleFile {
  readonly folder: string;
  readonly file: string;
  readonly team: string;
}

function readFile(from: SampleFile): Sample[] {
  const path = join(from.folder, from.file);
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [readLine(line, { ...from, place: `${path}:${index + 1}` })],
  );
}

function readLine(line: string, { team, folder, place }: SampleFile & { readonly place: string }): Sample {
  const parsed = sampleLine.safeParse(parse(line));
  if (!parsed.success)
    throw new CommandRefusedError(`${place} is no sample.`, "Correct the line, or remove it.");
  const { data } = parsed;
  if ("target_agent" in data) return { kind: "message", team, ...data };
  const { id, user, email, input, label } = data;
  return {
    kind: "task",
    id,
    team,
    input: input ?? email,
    user: user ?? `customer-${id}`,
    folder,
    locale: label?.language ?? null,
  };
}

function parse(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return null;
  }
}
