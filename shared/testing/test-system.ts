import { onTestFinished } from "vitest";
import { SutureError } from "#shared/errors";
import type { ModelCall } from "#shared/model";
import type { Team } from "#shared/runtime";
import { Store } from "#shared/store";
import { testPrefix, testRedisUrl } from "./redis.ts";
import { openSystem } from "./system/open-system.ts";
import type { SystemOptions, TestSystem } from "./system/open-system.ts";
import { answerFrom, startTeam } from "./system/open-team.ts";
import type { TestAnswer, TestRun } from "./system/open-team.ts";

/** Opens a team on the Redis of this test run; closed when the test has finished. */
export function createTestSystem(team: Team, options: SystemOptions = {}): TestSystem {
  const system = openSystem(team, { redisUrl: testRedisUrl(), prefix: testPrefix() }, options);
  onTestFinished(() => system.close());
  return system;
}

/** Opens a team as {@link createTestSystem} does, with its agents at work. */
export async function startTestSystem(
  team: Team,
  agents: Parameters<TestSystem["start"]>[0] = {},
  options: SystemOptions = {},
): Promise<TestSystem> {
  const system = createTestSystem(team, options);
  await system.start(agents);
  return system;
}

/** A team at work whose models are its stand-ins, or the test for single steps. */
export interface StandInTeam {
  /** Answers by agent and step, `"triage/route"`, that take the place of the stand-in's. */
  readonly answers: Record<string, TestAnswer>;
  /** The questions to models, in order. */
  readonly asked: ModelCall[];
  /** Sends a message to the entry, or to agent `to`, and waits until its run ends or waits in the ward. */
  readonly run: (
    payload: unknown,
    message?: { readonly to?: string; readonly contract?: string },
  ) => Promise<TestRun & { readonly path: readonly (string | null)[] }>;
}

const RUN_MS = 600_000;

/** Puts a team to work on the Redis of this test run; closed when the test has finished. */
export async function openStandIns(team: Team): Promise<StandInTeam> {
  const system = createTestSystem(team);
  const answers: Record<string, TestAnswer> = {};
  const asked: ModelCall[] = [];
  const model = answerFrom(team, answers);
  const run = await startTeam(system, {
    ...model,
    ask: (call) => {
      asked.push(call);
      return model.ask(call);
    },
  });
  return {
    answers,
    asked,
    run: async (payload, { to = team.entry.name, contract } = {}) => {
      const { id, accepts } = team.agents.get(to) ?? team.entry;
      const { hopsMax = 10 } = team.options;
      const ended = await run(payload, {
        to: id,
        contract: contract ?? accepts.id,
        hopsMax,
        ttlMs: RUN_MS,
      });
      const events = await system.store.runs.events(ended.run_id, { from: 0, limit: 500 });
      const done = events.filter(({ type }) => type === "handed_off" || type === "completed");
      return { ...ended, path: done.map(({ agent }) => agent) };
    },
  };
}

/** Returns the error of a handler whose tool is away for now. */
export function awayError(): SutureError {
  return new SutureError({ code: "AWAY", failureClass: "transient", message: "not now", remedy: "wait" });
}

type StoreOptions = ConstructorParameters<typeof Store>[0];

const LIFE_MS = 3_600_000;

/** A worker's store on the tests' Redis, under a prefix of its own. Closed when the test has finished. */
export function openTestStore(options: Partial<StoreOptions> = {}): Store {
  const store = new Store({
    url: testRedisUrl(),
    prefix: testPrefix(),
    role: "worker",
    retentionMs: LIFE_MS,
    ledgerLifeMs: LIFE_MS,
    onError: () => undefined,
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}
