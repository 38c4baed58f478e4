import { tmpdir } from "node:os";
import { join } from "node:path";
import { random, randomHex } from "#shared/clock";
import type { FirstDraft } from "#shared/envelope";
import type { Failure } from "#shared/errors";
import { readJson } from "#shared/json";
import type { ModelCall, ModelClient } from "#shared/model";
import type { Team } from "#shared/runtime";
import { StandInCalls } from "#shared/runtime/tools";
import { startScratchRedis } from "../../../infra/redis/scratch-redis.ts";
import type { ScratchRedis } from "../../../infra/redis/scratch-redis.ts";
import { openSystem, unreachableModel } from "./open-system.ts";
import type { TestSystem } from "./open-system.ts";

export interface OpenTeamOptions {
  /** Answers by agent and step: `"triage/route"`; a text is sent as it is. Default: the agents' stand-ins. */
  readonly answers?: Readonly<Record<string, TestAnswer>>;
  /** Address of a Redis, where a prefix of its own is used. Default: a new one, which ends with this process. */
  readonly redisUrl?: string;
}

/** A run as a test sees it. */
export interface TestRun {
  readonly run_id: string;
  /** `completed`, `failed`, `in_ward` for a dead message that waits for its repair, … */
  readonly status: string;
  readonly result: unknown;
  /** Error of the run; of one that waits in the ward, the last failure's class, code and message. */
  readonly error: unknown;
  /** Failures of its deliveries and handoffs, those that were retried included, in the order in which they happened. */
  readonly failures: readonly TestFailure[];
}

/** A failure as a test sees it: what, in which agent and step, where in code (`stack`) and data (`issues`). */
export interface TestFailure extends Failure {
  readonly message_id: string;
  readonly attempt: number;
}

/** A team at work on a real Redis, with real queues, seals, retries and the ward, and without a model. */
export interface OpenTeam {
  /** Submits a task and waits until the run ends or waits in the ward. @param payload - Checked by the first agent. */
  run(payload: unknown): Promise<TestRun>;
  /** Stops the agents and closes the connections. */
  close(): Promise<void>;
}

/** A team stops here: nothing in these tests repairs a dead message. */
const STOPS = ["completed", "failed", "cancelled", "expired", "in_ward", "quarantined"] as const;

/** Puts a team to work for a test, with any test runner. @throws {RedisMissingError} No Redis can be had. */
export async function openTeam(team: Team, options: OpenTeamOptions = {}): Promise<OpenTeam> {
  const redis = options.redisUrl === undefined ? await takeRedis() : null;
  const place = { redisUrl: options.redisUrl ?? redis?.url ?? "", prefix: `t${randomHex(6)}` };
  const system = openSystem(team, place);
  const close = async (): Promise<void> => {
    await system.close();
    if (redis !== null) await leaveRedis();
  };
  try {
    const run = await startTeam(system, answerFrom(team, options.answers ?? {}));
    return { run: (payload) => run(payload), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the agents of a system, and returns a function that submits a message and waits until its run stops. */
export async function startTeam(
  system: TestSystem,
  model: ModelClient,
): Promise<(payload: unknown, draft?: Partial<FirstDraft>) => Promise<TestRun>> {
  const failures = new Map<string, TestFailure[]>();
  await system.start({
    model,
    onFailure: ({ runId, messageId, attempt, failure }) => {
      failures.set(runId, [...(failures.get(runId) ?? []), { ...failure, message_id: messageId, attempt }]);
    },
  });
  return async (payload, draft = {}) => {
    const { runId } = await system.submit(payload, draft);
    const { run_id, status, result, error } = await system.until(runId, STOPS);
    const failed = failures.get(runId) ?? [];
    return { run_id, status, result, error: error ?? errorOf(status, failed.at(-1)), failures: failed };
  };
}

/** A run in the ward has no error yet, and its last failure is why it waits there. */
function errorOf(status: string, last: TestFailure | undefined): object | null {
  if (last === undefined || (status !== "in_ward" && status !== "quarantined")) return null;
  return { class: last.failure_class, code: last.code, message: last.message };
}

let shared: Promise<ScratchRedis> | null = null;
let users = 0;

async function takeRedis(): Promise<ScratchRedis> {
  users += 1;
  shared ??= startScratchRedis(join(tmpdir(), "suture-redis-server"));
  return shared;
}

async function leaveRedis(): Promise<void> {
  users -= 1;
  if (users > 0) return;
  const last = shared;
  shared = null;
  await (await last)?.stop();
}

/** Answers in a model's place, from a step's input. A text is sent as it is, anything else as JSON. */
export type TestAnswer = (input: unknown) => unknown;

const CHARACTERS_PER_TOKEN = 4;

/** Returns a model client that answers by `answers` (`"triage/route"`), else stand-ins, else as if away. */
export function answerFrom(team: Team, answers: Readonly<Record<string, TestAnswer>>): ModelClient {
  const away = unreachableModel();
  return {
    ...away,
    ask: async (call) => {
      const answer = await answerOf(team, answers, call);
      if (answer === undefined) return away.ask(call);
      const hasCalls = answer instanceof StandInCalls;
      const text = hasCalls ? "" : typeof answer === "string" ? answer : JSON.stringify(answer);
      const calls = hasCalls
        ? answer.calls.map((one) => ({ name: one.tool, arguments: JSON.stringify(one.arguments) }))
        : [];
      return {
        text,
        model: "stand-in",
        usage: { input_tokens: tokensIn(call.instructions + call.input), output_tokens: tokensIn(text) },
        cost: 0,
        finish: "stop",
        durationMs: 0,
        ...(call.tools === undefined ? {} : { tools: { by: "calls" as const, calls } }),
      };
    },
  };
}

async function answerOf(
  team: Team,
  answers: Readonly<Record<string, TestAnswer>>,
  { agent, step, input, images, tools = [], exchange = [] }: ModelCall,
): Promise<unknown> {
  const name = agent.replace(/@\d+$/, "");
  const given = answers[`${name}/${step}`];
  const read: unknown = JSON.parse(input);
  if (given !== undefined) return given(read);
  const standIn = team.agents.get(name)?.options.standIns?.[step];
  const results = exchange
    .flatMap((round) => round.calls)
    .map((called) => ({
      tool: called.name,
      arguments: readJson(called.arguments) ?? null,
      outcome: readJson(called.result) ?? null,
    }));
  const offered = tools.map((tool) => tool.name);
  // Safe: the stand-in belongs to the step that made this input.
  return standIn?.(read as never, random, images, { offered, results });
}

function tokensIn(text: string): number {
  return Math.max(1, Math.ceil(text.length / CHARACTERS_PER_TOKEN));
}
