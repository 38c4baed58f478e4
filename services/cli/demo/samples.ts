import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { parseJson } from "#shared/envelope/json";
import type { Team } from "#shared/runtime";
import { CommandRefusedError } from "../errors.ts";
import { answerOf, openClient } from "../http/call-api.ts";
import type { Api, JsonOf } from "../http/call-api.ts";
import { persist } from "../http/persist.ts";
import { storeFiles, storeThrough } from "../http/store-files.ts";

const AT_ONCE = 6;
/** Time to live of messages that no agent can handle, in ms. */
const HOPELESS_TTL_MS = 20_000;

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
  /** The customer's id; samples of one conversation have the same. */
  readonly user: string;
  /** The team's: what the input names as `{"$file": …}` is read from there. */
  readonly folder: string;
  readonly locale: string | null;
}

export interface MessageSample extends z.output<typeof messageLine> {
  readonly kind: "message";
  readonly team: string;
}

export type Sample = TaskSample | MessageSample;

/** Every line of `<teams folder>/<team>/samples/*.jsonl`, tasks before messages. @throws {CommandRefusedError} */
export function readSamples(teamsDir: string, teams: readonly Team[]): Sample[] {
  const samples = teams.flatMap(({ name: team }) => {
    const folder = join(teamsDir, team);
    const files = globSync("samples/*.jsonl", { cwd: folder }).toSorted();
    return files.flatMap((file) =>
      readFileSync(join(folder, file), "utf8")
        .split("\n")
        .flatMap((line, index) => {
          const place = `${join(folder, file)}:${index + 1}`;
          return line.trim() === "" ? [] : [readLine({ line, team, folder, place })];
        }),
    );
  });
  return samples.toSorted((a, b) => Number(a.kind === "message") - Number(b.kind === "message"));
}

function readLine({
  line,
  team,
  folder,
  place,
}: Record<"line" | "team" | "folder" | "place", string>): Sample {
  const parsed = sampleLine.safeParse(parse(line));
  if (!parsed.success)
    throw new CommandRefusedError(`${place} is no sample.`, "Correct the line, or remove it.");
  const { data } = parsed;
  if ("target_agent" in data) return { kind: "message", team, ...data };
  const { id, user = `customer-${id}`, email, input = email, label } = data;
  return { kind: "task", id, team, input, user, folder, locale: label?.language ?? null };
}

function parse(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return null;
  }
}

/** A sample and the run that it became. */
export interface Sent {
  readonly sample: Sample;
  readonly run_id: string;
}

export interface Traffic {
  readonly samples: readonly Sample[];
  readonly gateway: Api;
  readonly signal: AbortSignal;
  /** Called for every accepted task. */
  readonly onSent: (sent: Sent) => void;
}

/** Sends every sample once: a repeat after a lost answer carries the same key and is the same run. */
export async function sendTraffic({ samples, gateway, signal, onSent }: Traffic): Promise<void> {
  const queue = [...samples];
  const store = storeThrough(gateway, signal);
  const work = async (): Promise<void> => {
    for (let sample = queue.shift(); sample !== undefined; sample = queue.shift()) {
      // Files go first, so that the task can refer to them.
      const ready =
        sample.kind === "task"
          ? { ...sample, input: await storeFiles(sample.input, { folder: sample.folder, store }) }
          : sample;
      const { run_id } = await persist(() => send(ready, { gateway, signal }), signal);
      onSent({ sample, run_id });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function send(sample: Sample, to: Pick<Traffic, "gateway" | "signal">): Promise<JsonOf<"submitTask">> {
  const client = openClient(to.gateway);
  const init = { headers: { "idempotency-key": `demo-${sample.team}-${sample.id}` }, signal: to.signal };
  if (sample.kind === "task") {
    const { team, input, locale } = sample;
    const user = { user_id: sample.user, ...(locale === null ? {} : { locale }) };
    return answerOf(client.POST("/v1/tasks", { ...init, body: { team, input, user } }));
  }
  const { target_agent, contract, data_payload, original_query } = sample;
  const user = { user_id: `customer-${sample.id}` };
  const ttl = sample.expect === "refused" ? { ttl_ms: HOPELESS_TTL_MS } : {};
  const sent = { target_agent, contract, data_payload, original_query, user };
  return answerOf(client.POST("/v1/handoffs", { ...init, body: { ...sent, on_invalid: "ward", ...ttl } }));
}
