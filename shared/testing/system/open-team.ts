import { join } from "node:path";
import { tmpdir } from "node:os";
import { randomHex } from "#shared/clock";
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
  readonly error: unknown;
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
  const close = async (): Promise<void> => {
    await system.close();
    if (redis !== null) await leaveRedis();
  };
  try {
    await system.start({ model: answerFrom(team, options.answers ?? {}) });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    run: async (payload) => {
      const { runId } = await system.submit(payload);
      const { run_id, status, result, error } = await system.until(runId, STOPS);
      return { run_id, status, result, error };
    },
    close,
  };
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
