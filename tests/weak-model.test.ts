import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../services/rehearsal/faults.ts";
import { openServer } from "../services/rehearsal/testing/open-server.ts";
import { readSamples } from "../services/cli/demo/samples.ts";
import type { Sample } from "../services/cli/demo/samples.ts";
import { loadTeams } from "#shared/runtime/process";
import type { Team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases, getCase } from "#shared/ward";
import { spawnAgents } from "./support/service-process.ts";
import type { SeenRequest } from "./support/model-endpoint.ts";
import { weakModel } from "./support/weak-model.ts";
import { openModel } from "./support/open-model-system.ts";
import { operateOn } from "./support/operate-on.ts";

/** Agents are answered valid nonsense, and the surgeon lies: no money moves and no lie is sent. */

const SEED = 20_261_127;
/** Samples of one team, evenly over its files: the whole set says the same and takes ten minutes. */
const SAMPLES_MAX = 24;
const TEAMS = ["support", "medical", "editorial", "research", "documents", "gallery", "coder"] as const;
/** Teams whose samples have always made the surgeon ask. */
const LIED_TO: readonly string[] = ["support", "documents", "coder"];
const QUERY_CHARS_MAX = 4000;
const ENDED = ["completed", "failed", "cancelled", "quarantined"];

let teams: readonly Team[];
beforeAll(async () => {
  teams = await loadTeams("services/agents");
});

async function openSandbox() {
  const sandbox = await openServer();
  const refunds = async (): Promise<unknown> =>
    (await fetch(`${sandbox.url}/sandbox/payments/refunds`)).json();
  return { url: sandbox.url, refunds };
}

async function open(own: Team) {
  const system = createTestSystem(own);
  const sandbox = await openSandbox();
  const models = { router: "weak", worker: "weak", surgeon: "weak" };
  const { endpoint, model } = await openModel(own, { models });
  endpoint.behave = weakModel(seededRandom(`${SEED} ${own.name}`));
  operateOn(system, {
    model,
    prices: { weak: { input: 0, output: 0 } },
    limits: { waitMsMin: 50, jobMissingMs: 200, surgeonResendMs: 1, surgeonCostPerGroup: 100 },
    upkeepMs: 100,
  });
  spawnAgents(system, [...own.agents.keys()], {
    OPENAI_BASE_URL: endpoint.url,
    SUTURE_SANDBOX_URL: sandbox.url,
    SUTURE_RETRY_DELAY_MS: "20",
    SUTURE_RETRY_DELAY_MS_MAX: "100",
  });
  return { system, sandbox, endpoint };
}

function spread(samples: readonly Sample[]): Sample[] {
  const every = Math.max(1, Math.ceil(samples.length / SAMPLES_MAX));
  return samples.filter((_, index) => index % every === 0);
}

async function submit(system: TestSystem, sample: Sample): Promise<string> {
  if (sample.kind === "task")
    return (
      await system.submit(sample.input, {
        user: { original_query: JSON.stringify(sample.input).slice(0, QUERY_CHARS_MAX) },
      })
    ).runId;
  const { target_agent, contract, data_payload, original_query } = sample;
  const to = [...system.team.agents.values()].find(({ id, name }) => [id, name].includes(target_agent))?.id;
  const query = { user: { original_query } };
  return (await system.submit(data_payload, { ...query, contract, ...(to === undefined ? {} : { to }) }))
    .runId;
}

/** Returns true if a run has ended or waits for a person: a join may wait for a branch that is in quarantine. */
async function isSettled({ store }: TestSystem, runId: string): Promise<boolean> {
  if (ENDED.includes((await store.runs.find(runId))?.status ?? "")) return true;
  const { cases } = await findCases(store, { filter: { run_id: runId, status: "quarantined" }, limit: 1 });
  return cases.length > 0;
}

/** Jobs that agents and the surgeon still have to do, and dead messages that are not taken in. */
async function jobsLeft({ store, team }: TestSystem): Promise<number> {
  const { queues } = store;
  const names = [...team.agents.keys()];
  const depths = await Promise.all([
    ...names.flatMap((agent) => [queues.depth(agent, "fresh"), queues.depth(agent, "retry")]),
    queues.depth("ward", "ward"),
  ]);
  const dead = await store.redis.llen(store.keys.inbox());
  return depths.reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, dead);
}

/** Returns true if a question is the surgeon's. */
function asksForRepair({ body }: SeenRequest): boolean {
  return JSON.stringify(body.response_format ?? null).includes('"quotes"');
}

/** Repairs of the model that were sent on, but for words where the contract lets the surgeon write. */
async function liesSent({ store }: TestSystem): Promise<unknown[]> {
  const lies: unknown[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await findCases(store, { filter: {}, cursor, limit: 100 });
    for (const { case_id } of page.cases) {
      const { history } = await getCase(store, case_id);
      const attempts = history.flatMap((operation) => operation.attempts);
      lies.push(
        ...attempts.filter(
          ({ procedure, outcome, provenance }) =>
            procedure === "strong_model" &&
            outcome === "healed" &&
            !provenance.every(({ kind }) => kind === "surgeon_text"),
        ),
      );
    }
    cursor = page.cursor;
    if (cursor === null) return lies;
  }
}

describe("with a model that understands nothing", () => {
  it.each(TEAMS)(
    "the team %s moves no money, and its surgeon sends no lie on",
    { timeout: 300_000 },
    async (name) => {
      const own = teams.find((team) => team.name === name);
      if (own === undefined) throw new Error(`no team ${name}`);
      const { system, sandbox, endpoint } = await open(own);
      const samples = spread(readSamples("services/agents", [own]));
      expect(samples.length).toBeGreaterThan(4);
      const runs = await Promise.all(samples.map((sample) => submit(system, sample)));
      const waiting = async (): Promise<string[]> => {
        const settled = await Promise.all(runs.map((run) => isSettled(system, run)));
        return runs.filter((_, index) => settled[index] !== true);
      };
      await expect.poll(waiting, { timeout: 240_000, interval: 200 }).toEqual([]);
      await expect.poll(() => jobsLeft(system), { interval: 200 }).toBe(0);
      expect(endpoint.seen.length).toBeGreaterThan(0);
      if (LIED_TO.includes(name)) expect(endpoint.seen.some(asksForRepair)).toBe(true);
      expect(await sandbox.refunds()).toMatchObject({ refunds: [] });
      expect(await liesSent(system)).toEqual([]);
    },
  );
});
