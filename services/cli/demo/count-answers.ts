import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Team } from "#shared/runtime";
import { holds } from "../eval/trial.ts";
import type { Sent } from "./send-traffic.ts";

/** What completed runs came to. A team that completes every run may still have answered none of them. */
export interface Answers {
  /** The labelled set says that the result is right. */
  readonly right: number;
  /** The result says that the team cannot tell, as the team declares such results. */
  readonly cannot_tell: number;
  /** The labelled set says otherwise, and the result does not say that the team cannot tell. */
  readonly wrong: number;
  /** Completed with an answer, and no label says whether it is right. */
  readonly unchecked: number;
}

export type Verdict = keyof Answers;

type Expected = ReadonlyMap<string, string | number | boolean | null>;

/** Labels of samples, by team and id, with the input that they belong to. */
export type Labels = ReadonlyMap<string, { readonly input: unknown; readonly expect: Expected }>;

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const labelSchema = z.object({ id: z.string(), input: z.unknown(), expect: z.record(z.string(), value) });

/** Reads the teams' labelled sets. Lines that are none are left out: `suture eval` says what is wrong with them. */
export function readLabels(teamsDir: string, teams: readonly Team[]): Labels {
  return new Map(
    teams.flatMap(({ name }) => {
      const file = join(teamsDir, name, "eval", "cases.jsonl");
      if (!existsSync(file)) return [];
      const lines = readFileSync(file, "utf8").split("\n");
      return lines.flatMap((line) => {
        const parsed = labelSchema.safeParse(parse(line));
        if (!parsed.success) return [];
        const { id, input, expect } = parsed.data;
        return [[keyOf(name, id), { input, expect: new Map(Object.entries(expect)) }] as const];
      });
    }),
  );
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function keyOf(team: string, id: string): string {
  return `${team}/${id}`;
}

/** Returns what the result of a completed run is worth. */
export function judgeAnswer(
  { sample, result }: { readonly sample: Sent["sample"]; readonly result: unknown },
  { team, labels }: { readonly team: Team | undefined; readonly labels: Labels },
): Verdict {
  const label = labels.get(keyOf(sample.team, sample.id));
  const isLabelled =
    label !== undefined && sample.kind === "task" && isDeepStrictEqual(label.input, sample.input);
  const isRight =
    isLabelled && [...label.expect].every(([pointer, wanted]) => holds(result, pointer, wanted));
  // A label may say that nobody could tell.
  if (isRight) return saysNothing(team, result) ? "cannot_tell" : "right";
  if (saysNothing(team, result)) return "cannot_tell";
  return isLabelled ? "wrong" : "unchecked";
}

function saysNothing(team: Team | undefined, result: unknown): boolean {
  return Object.entries(team?.options.cannotTell ?? {}).some(([pointer, values]) =>
    values.some((one) => holds(result, pointer, one)),
  );
}

/** Counts verdicts. */
export function countAnswers(verdicts: readonly Verdict[]): Answers {
  const of = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length;
  return {
    right: of("right"),
    cannot_tell: of("cannot_tell"),
    wrong: of("wrong"),
    unchecked: of("unchecked"),
  };
}
