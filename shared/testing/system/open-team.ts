import { join } from "node:path";
import { tmpdir } from "node:os";
import { randomHex } from "#shared/clock";
import type { Failure } from "#shared/errors";
import type { Team } from "#shared/runtime";
import { startScratchRedis } from "../../../infra/redis/scratch-redis.ts";
import type { ScratchRedis } from "../../../infra/redis/scratch-redis.ts";
import { answerFrom } from "./answer-from.ts";
import type { TestAnswer } from "./answer-from.ts";
import { openSystem } from "./open-system.ts";

export interface OpenTeamOptions {
  /**
   * Answers in a model's place, by agent and step: `"triage/route"`. Wrong and damaged ones are worth a test; a text
   * is sent as it is. Default: the stand-ins of the team's agents.
   */
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
  /**
   * Submits a task and waits until the run ends, or until it waits in the ward.
   *
   * @param payload - Checked by the first agent, as in production: give it a wrong one to see what becomes of it.
   */
  run(payload: unknown): Promise<TestRun>;
  /** Stops the agents and closes the connections. */
  close(): Promise<void>;
}

/** A team stops here: nothing in these tests repairs a dead message. */
const STOPS = ["completed", "failed", "cancelled", "expired", "in_ward", "quarantined"] as const;

/**
 * Puts a team to work for a test, with any test runner.
 *
 * @throws {RedisMissingError} No address is given, there is no server program here, and none could be had.
 */
export async function openTeam(team: Team, options: OpenTeamOptions = {}): Promise<OpenTeam> {
  const redis = options.redisUrl === undefined ? await takeRedis() : null;
  const place = { redisUrl: options.redisUrl ?? redis?.url ?? "", prefix: `t${randomHex(6)}` };
  const system = openSystem(team, place);
  const failures = new Map<string, TestFailure[]>();
  const close = async (): Promise<void> => {
    await system.close();
    if (redis !== null) await leaveRedis();
  };
  try {
    await system.start({
      model: answerFrom(team, options.answers ?? {}),
      onFailure: ({ runId, messageId, attempt, failure }) => {
        failures.set(runId, [...(failures.get(runId) ?? []), { ...failure, message_id: messageId, attempt }]);
      },
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    run: async (payload) => {
      const { runId } = await system.submit(payload);
      const { run_id, status, result, error } = await system.until(runId, STOPS);
      const failed = failures.get(runId) ?? [];
      return { run_id, status, result, error: error ?? errorOf(status, failed.at(-1)), failures: failed };
    },
    close,
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
