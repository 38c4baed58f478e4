import { expect } from "vitest";
import { z } from "zod";
import { itWithPostgres, openTestArchive, startPostgres } from "#shared/archive/testing";
import { contract, sensitive } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { ordersTeam } from "./testing/orders-team.ts";
import { startTestConsole } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

const NEVER = new AbortController().signal;

async function startArchiving(shown: Team = ordersTeam) {
  const postgres = await startPostgres();
  const archive = openTestArchive(postgres);
  const system = createTestSystem(shown, { store: { archive: archive.reader } });
  const open = () => startTestConsole({}, [], system, [], { archive });
  const console = await open();
  await system.start();
  return {
    postgres,
    archive,
    console,
    open,
    /** Moves what has ended and what is closed now. */
    move: async () => {
      const cases = await archive.caseMoverOf(console.store).round(Date.now() + 1000);
      return { cases, runs: await archive.moverOf(console.store).round(NEVER) };
    },
  };
}

const poll = { timeout: 20_000 };

const searchForm = z.object({
  found: z.array(z.looseObject({ kind: z.string(), id: z.string() })),
  looked_back_to: z.string().nullable(),
});

async function search(console: TestConsole, text: string) {
  const reply = await console.send(`/v1/search?text=${encodeURIComponent(text)}`, { key: "viewer" });
  const { found, looked_back_to } = searchForm.parse(await reply.json());
  return { ids: found.map(({ kind, id }) => `${kind} ${id}`), looked_back_to };
}

const jsonOf = async (console: TestConsole, path: string): Promise<unknown> =>
  (await console.send(path)).json();

itWithPostgres("shows and finds runs and cases that have left Redis, also after a start anew", async () => {
  const { console, open, move } = await startArchiving();
  const { system } = console;
  const booked = await system.submit({ order_id: "AB-4711", amount: 1, note: "for Jörg Müller" });
  await system.until(booked.runId);
  const failed = await console.admit({ order_id: "AB-4712", amount: "many", note: "for Ann Müller" });
  await system.store.runs.cancel({ runId: failed.run_id, by: "olga", markLifeMs: 60_000 });
  const { case_id: id, run_id: runId, fingerprint } = failed;
  const kept = await system.store.cases.get(id);
  // Closed as the surgeon does it who finds its run cancelled.
  const { discardCase } = await import("#shared/ward/moves");
  await discardCase(system.store, {
    from: kept,
    by: "surgeon@1",
    why: "a zebra asked for it",
    end: "cancelled",
  });
  await expect
    .poll(() => search(console, "zebra"), poll)
    .toMatchObject({ ids: [`case ${id}`, `run ${runId}`] });
  const paths = [
    `/v1/ward/cases/${id}`,
    `/v1/runs/${runId}`,
    `/v1/runs/${booked.runId}/steps`,
    "/v1/runs",
    "/v1/ward/cases",
    "/v1/ward/cases?status=discarded",
    `/v1/ward/cases?fingerprint=${fingerprint}`,
    `/v1/ward/cases?run_id=${runId}`,
    `/v1/ward/cases?text=${id}`,
  ];
  const texts = ["zebra", "müller", "AB-4711", "4711-AB", "ab-47", "nothing like it"];
  const look = async (at: TestConsole) => ({
    shown: await Promise.all(paths.map((path) => jsonOf(at, path))),
    found: await Promise.all(texts.map((text) => search(at, text))),
  });
  const before = await look(console);
  expect(before.found.map(({ ids }) => ids.length)).toEqual([2, 3, 1, 0, 3, 0]);
  expect(await move()).toEqual({ cases: 1, runs: 2 });
  expect(await system.store.redis.exists(system.store.keys.ward(`case:${id}`))).toBe(0);
  const plain = (value: unknown) => JSON.stringify(value).replaceAll(',"archived":true', "");
  const after = await look(console);
  expect(plain(after.shown).replace('"actions":[]', "")).toBe(
    plain(before.shown).replace(/"actions":\[[^\]]*\]/, ""),
  );
  expect(after.found).toEqual(before.found);
  const later = await open();
  await expect.poll(() => search(later, "nothing like it")).toEqual({ ids: [], looked_back_to: null });
  expect(await look(later)).toEqual(after);
  const refused = await console.post(`/v1/ward/cases/${id}/restore`, { why: "again" });
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({
    code: "ward_decision_refused",
    detail: expect.stringContaining("archive"),
  });
  const lines = z.object({ audit: z.array(z.looseObject({ case_id: z.string() })) });
  const time = encodeURIComponent(new Date(Date.now() + 1000).toISOString());
  const { audit } = lines.parse(await jsonOf(console, `/v1/audit?before=${time}`));
  expect(audit).toEqual(lines.parse(await jsonOf(console, "/v1/audit")).audit);
  expect(audit.map(({ case_id }) => case_id)).toContain(id);
});

const Visit = contract("arc.visit@1", z.strictObject({ patient: sensitive(z.string()), ward: z.string() }));

itWithPostgres(
  "keeps no word of what contracts mark, and searches what is in Redis while it is away",
  async () => {
    const visits = agent("arc-visit@1", {
      accepts: Visit,
      handle: (visit, ctx) => ctx.complete({ seen: visit.patient }),
    });
    const { console, archive, move, postgres } = await startArchiving(team("clinic", [visits]));
    const visit = async (ward: string) => {
      const { runId } = await console.system.submit({ patient: "Öhmsdottir", ward });
      await console.system.until(runId);
      await expect.poll(() => search(console, ward), poll).toMatchObject({ ids: [`run ${runId}`] });
      return runId;
    };
    await visit("north");
    await move();
    const words = await archive.db.query<{ readonly words: string }>('SELECT words::text FROM "test".texts');
    expect(words).toHaveLength(1);
    expect(words[0]?.words).toContain("'north'");
    expect(words[0]?.words).not.toContain("ohms");
    await postgres.kill();
    const here = await visit("south");
    // Both have this word; one of them has left Redis.
    const { ids, looked_back_to } = await search(console, "completed");
    expect(ids).toEqual([`run ${here}`]);
    expect(looked_back_to).not.toBeNull();
    await postgres.start();
  },
);
