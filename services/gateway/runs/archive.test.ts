import { expect } from "vitest";
import { z } from "zod";
import type { Archive } from "#shared/archive";
import { itWithPostgres, openTestArchive, startPostgres } from "#shared/archive/testing";
import type { TestPostgres } from "#shared/archive/testing";
import { contract, sensitive } from "#shared/contract";
import { agent, team as teamOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { chainTeam } from "../testing/chain-team.ts";
import { answerOf, pageForm, problemForm, startedForm } from "../testing/answer.ts";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";

const as = (secret: string) => ({ authorization: `Bearer ${secret}` });
const NEVER = new AbortController().signal;

interface Archiving extends TestGateway {
  readonly archive: Archive;
  /** Moves all ended runs now. */
  readonly move: () => Promise<number>;
}

/** A gateway on an archive. @param bounds - Null: its upkeep moves nothing, so that a test says when. */
async function startArchiving(
  postgres: TestPostgres,
  bounds: { archiveEveryMs: number } | null = null,
  team: Team = chainTeam,
): Promise<Archiving> {
  const archive = openTestArchive(postgres);
  const gateway = await startTestGateway({
    team,
    store: { archive: archive.reader },
    ...(bounds === null ? {} : { bounds, parts: { archive } }),
  });
  await gateway.system.start();
  const mover = archive.moverOf(gateway.store);
  return { ...gateway, archive, move: () => mover.round(NEVER) };
}

async function runOf(
  gateway: TestGateway,
  headers: Record<string, string> = {},
  text = "hello",
): Promise<string> {
  const { run_id } = await answerOf(
    gateway.post("/v1/tasks", { team: "gw-chain", input: { text } }, headers),
    startedForm,
  );
  await gateway.send(`/v1/runs/${run_id}?wait=30`);
  return run_id;
}

const keysOf = ({ store }: TestGateway, runId: string): Promise<number> =>
  store.redis.exists(...["", ":messages", ":log"].map((part) => store.keys.run(runId) + part));

/** Every page of a list, as one. */
async function listAll(gateway: TestGateway, query: string, key: string): Promise<unknown[]> {
  const runs: unknown[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: z.output<typeof pageForm> = await answerOf(
      gateway.send(`/v1/runs?limit=3${query}${more}`, { key }),
      pageForm,
    );
    runs.push(...page.runs);
    cursor = page.next_cursor;
  }
  return runs;
}

itWithPostgres("answers of runs that have left Redis as of those that have not", async () => {
  const gateway = await startArchiving(await startPostgres());
  const own = await runOf(gateway, { ...as(SECRETS.acme), "idempotency-key": "once" });
  for (let n = 0; n < 7; n += 1) await runOf(gateway, as(n % 2 === 0 ? SECRETS.acme : SECRETS.globex));
  const paths = ["", "?include=events", "?wait=1", "/steps"].map((more) => `/v1/runs/${own}${more}`);
  paths.push(
    `/ap/v1/agent/tasks/${own}`,
    `/ap/v1/agent/tasks/${own}/steps`,
    "/ap/v1/agent/tasks?page_size=3&current_page=2",
  );
  const keys = [SECRETS.acme, SECRETS.acmeViewer, SECRETS.globex, SECRETS.admin, SECRETS.submit];
  const look = async () => {
    const shown = paths.flatMap((path) =>
      keys.map(async (key) => {
        const reply = await gateway.send(path, { key });
        return [path, reply.status, (await reply.text()).replace(/"trace_id":"[^"]*"/, "")];
      }),
    );
    const queries = ["", "&status=completed", "&status=failed", "&team=gw-chain"];
    const lists = queries.flatMap((query) => keys.map((key) => listAll(gateway, query, key)));
    return { shown: await Promise.all(shown), lists: await Promise.all(lists) };
  };
  const before = await look();
  expect(await gateway.move()).toBe(8);
  expect(await keysOf(gateway, own)).toBe(0);
  // Newer ones are in Redis: pages go on from there into the archive.
  expect(await look()).toEqual(before);
  expect(before.shown.filter(([, status]) => status === 404).length).toBeGreaterThan(0);
  const again = await gateway.post(
    "/v1/tasks",
    { team: "gw-chain", input: { text: "hello" } },
    { ...as(SECRETS.acme), "idempotency-key": "once" },
  );
  expect(await again.json()).toMatchObject({
    run_id: own,
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const cancelled = await gateway.post(`/v1/runs/${own}/cancel`, {});
  expect(await cancelled.json()).toMatchObject({ run_id: own, status: "completed" });
  const replayed = await answerOf(gateway.post(`/v1/runs/${own}/replay`, {}), startedForm);
  expect(replayed.run_id).not.toBe(own);
  await gateway.send(`/v1/runs/${replayed.run_id}?wait=30`);
  const mixed = await listAll(gateway, "", SECRETS.admin);
  expect(mixed).toHaveLength(9);
  expect(mixed[0]).toMatchObject({ run_id: replayed.run_id });
});

itWithPostgres("shows no archived run to another tenant, by whatever way", async () => {
  const gateway = await startArchiving(await startPostgres());
  const own = await runOf(gateway, as(SECRETS.acme));
  await gateway.move();
  const ways = ["", "?wait=1", "/events", "/steps", `/steps/${own}`].map((way) => `/v1/runs/${own}${way}`);
  ways.push(
    ...["", "/steps", "/artifacts", `/artifacts/${own}.result`].map(
      (way) => `/ap/v1/agent/tasks/${own}${way}`,
    ),
  );
  for (const path of ways)
    for (const key of [SECRETS.globex, SECRETS.submit, SECRETS.viewer])
      expect([path, (await gateway.send(path, { key })).status]).toEqual([path, 404]);
  expect(await listAll(gateway, "", SECRETS.globex)).toEqual([]);
  expect(await listAll(gateway, "", SECRETS.acme)).toHaveLength(1);
});

const Visit = contract("garc.visit@1", z.strictObject({ patient: sensitive(z.string()) }));

itWithPostgres("masks an archived run for those who do not own it", async () => {
  const visits = agent("garc-visit@1", {
    accepts: Visit,
    outside: true,
    handle: (visit, ctx) => ctx.complete({ seen: visit.patient }),
  });
  const gateway = await startArchiving(await startPostgres(), null, teamOf("clinic", [visits]));
  const request = { team: "clinic", input: { patient: "Oehmsdottir" } };
  const { run_id } = await answerOf(gateway.post("/v1/tasks", request, as(SECRETS.acme)), startedForm);
  await gateway.send(`/v1/runs/${run_id}?wait=30`);
  expect(await gateway.move()).toBe(1);
  const ways = ["?include=events", "/events", "/steps"].map((way) => `/v1/runs/${run_id}${way}`);
  ways.push(`/ap/v1/agent/tasks/${run_id}`, `/ap/v1/agent/tasks/${run_id}/steps`);
  for (const path of ways)
    for (const key of [SECRETS.acmeViewer, SECRETS.operator, SECRETS.admin]) {
      const reply = await gateway.send(path, { key });
      const text = await reply.text();
      expect([path, reply.status, text.includes("Oehmsdottir")]).toEqual([path, 200, false]);
    }
  const own = await gateway.send(`/v1/runs/${run_id}`, { key: SECRETS.acme });
  expect(await own.json()).toMatchObject({ result: { seen: "Oehmsdottir" } });
});

const readinessForm = z.looseObject({
  status: z.string(),
  parts: z.array(z.object({ part: z.string(), state: z.string(), detail: z.string() })),
});

itWithPostgres("goes on while PostgreSQL is away, says so, and moves what waited", async () => {
  const postgres = await startPostgres();
  const gateway = await startArchiving(postgres, { archiveEveryMs: 20 });
  const archived = await runOf(gateway);
  await expect.poll(() => keysOf(gateway, archived)).toBe(0);
  await postgres.kill();
  const waiting = await runOf(gateway);
  await runOf(gateway);
  const stateOf = async () => {
    const { parts } = await answerOf(gateway.send("/readyz", { key: null }), readinessForm);
    return parts.find(({ part }) => part === "archive");
  };
  await expect.poll(stateOf).toMatchObject({ state: "failed" });
  expect(await answerOf(gateway.send("/readyz", { key: null }), readinessForm)).toMatchObject({
    status: "degraded",
  });
  expect(await (await gateway.send("/metrics")).text()).toMatch(
    /suture_archive_up 0[^]*suture_archive_waiting_runs 2/,
  );
  expect((await gateway.send(`/v1/runs/${waiting}`)).status).toBe(200);
  const away = await gateway.send(`/v1/runs/${archived}`);
  expect(away.status).toBe(503);
  expect(await answerOf(away, problemForm)).toMatchObject({ code: "archive_unavailable" });
  // A page that Redis fills is shown; the one that would go on in the archive is not.
  expect((await gateway.send("/v1/runs?limit=1")).status).toBe(200);
  expect((await gateway.send("/v1/runs?limit=3")).status).toBe(503);
  await postgres.start();
  await expect.poll(() => keysOf(gateway, waiting)).toBe(0);
  for (const runId of [archived, waiting]) expect((await gateway.send(`/v1/runs/${runId}`)).status).toBe(200);
  expect(await stateOf()).toMatchObject({ state: "ok" });
  expect(await gateway.store.runs.count()).toBe(3);
});
