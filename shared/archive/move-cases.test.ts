import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { sleep, uuidv7 } from "#shared/clock";
import { addEndedRuns, itWithPostgres, openTestArchive, startPostgres } from "#shared/archive/testing";
import type { Store } from "#shared/store";
import type { CaseStatus } from "#shared/store/cases";
import { openTestStore } from "#shared/testing";
import type { Archive } from "./open-archive.ts";

const NEVER = new AbortController().signal;
/** Every case was closed before then. */
const LATER = Date.now() + 3_600_000;

async function addCase(store: Store, runId: string, status: CaseStatus): Promise<string> {
  const caseId = uuidv7();
  const sets = {
    run_id: runId,
    team: "t",
    agent: "a",
    "message:1": JSON.stringify({ text: `of ${caseId}` }),
  };
  const audit = {
    case_id: caseId,
    at: new Date().toISOString(),
    by: "ada",
    action: "discard",
    why: "",
    detail: {},
  };
  await store.cases.write({
    caseId,
    expectedVersion: 0,
    status,
    fingerprint: "f1",
    sets,
    effects: null,
    audit,
  });
  return caseId;
}

itWithPostgres("loses no case and doubles none while PostgreSQL is killed under two movers", async () => {
  const postgres = await startPostgres();
  const store = openTestStore();
  const archives = [openTestArchive(postgres), openTestArchive(postgres)];
  const runs = await addEndedRuns(store, 400);
  const ids = await Promise.all(runs.map((runId) => addCase(store, runId, "discarded")));
  const waiting = await addCase(store, uuidv7(), "quarantined");
  const before = new Map(await Promise.all(ids.map(async (id) => [id, await store.cases.get(id)] as const)));
  const audit = await store.cases.audit(null, 1000);
  const closed = () => store.redis.zcard(store.keys.ward("index:closed"));
  const work = async (archive: Archive): Promise<void> => {
    const mover = archive.caseMoverOf(store);
    while ((await closed()) > 0) await mover.round(LATER).catch(() => sleep(20));
    await mover.round(LATER);
  };
  const working = Promise.all(archives.map(work));
  for (let n = 0; n < 3; n += 1) {
    await sleep(60);
    await postgres.kill();
    await postgres.start();
  }
  await working;
  const [archive] = archives;
  if (archive === undefined) throw new Error("no archive");
  const whole = openTestStore({ prefix: store.keys.prefix, archive: archive.reader });
  expect(await archive.reader.countCases({ kind: "all" })).toBe(ids.length);
  for (const id of ids) {
    expect(await whole.cases.find(id)).toEqual({ ...before.get(id), archived: true });
    expect(await whole.cases.audit(id, 10)).toHaveLength(1);
  }
  expect(await whole.cases.find(waiting)).toMatchObject({ status: "quarantined" });
  expect(await whole.cases.auditBefore(LATER, 1000)).toHaveLength(audit.length);
  const listed = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof whole.cases.list>> = await whole.cases.list(
      { kind: "all" },
      { cursor, limit: 30 },
    );
    for (const { case_id: id } of page.cases) expect(listed.size).toBeLessThan(listed.add(id).size);
    ({ cursor } = page);
  } while (cursor !== null);
  expect(listed).toEqual(new Set([...ids, waiting]));
});

itWithPostgres(
  "moves a run after its cases, and deletes both with their words when their days are over",
  async () => {
    const postgres = await startPostgres();
    const store = openTestStore();
    const archive = openTestArchive(postgres);
    const [runId = ""] = await addEndedRuns(store, 1);
    const caseId = await addCase(store, runId, "discharged");
    const mover = archive.moverOf(store);
    expect(await mover.round(NEVER)).toBe(0);
    expect(await archive.caseMoverOf(store).round(LATER)).toBe(1);
    expect(await mover.round(NEVER)).toBe(1);
    await archive.texts.put([
      [{ kind: "run", id: runId, team: "t", atMs: 1 }, "zebra"],
      [{ kind: "case", id: caseId, team: "t", atMs: 2 }, "zebra"],
    ]);
    expect(await archive.texts.find("zebra", { teams: null, limit: 5 })).toHaveLength(2);
    expect(await archive.texts.find("zebra", { teams: ["other"], limit: 5 })).toEqual([]);
    await archive.db.query('UPDATE "test".runs SET ended_ms = 0');
    await archive.db.query('UPDATE "test".cases SET closed_ms = 0');
    await openTestArchive(postgres, { archiveDays: 1 }).retire();
    await archive.texts.put([[{ kind: "run", id: runId, team: "t", atMs: 1 }, "zebra"]]);
    const page = readFileSync("docs/operating/archive.md", "utf8");
    const typed = /```sql[^\n]*\n([^`]+)```/.exec(page)?.[1] ?? "";
    for (const statement of typed.replaceAll("suture.", "test.").replaceAll("RUN", runId).split(";\n"))
      await archive.db.query(statement);
    expect([await archive.reader.readRun(runId), await archive.reader.readCase(caseId, "all")]).toEqual([
      null,
      null,
    ]);
    expect(await archive.texts.find("zebra", { teams: null, limit: 5 })).toEqual([]);
  },
);
