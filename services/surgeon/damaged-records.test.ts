import fc from "fast-check";
import { expect, it } from "vitest";
import { createMaster, issueKeyring, issueVerifyingKeyring, Keyring } from "#shared/envelope/keys";
import { agent, edgesOf, team } from "#shared/runtime";
import { findCases, getCase } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { groupBatches } from "#shared/ward/decisions";
import { Refund, openSurgeonAtWork } from "./testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "./testing/surgeon-test-system.ts";
import { findUnverifiable } from "./open-surgeon.ts";

const CASES = 3;

/** Texts in place of a field: no JSON, JSON of another form, no number, a number that no date can be. */
const GARBAGE = [
  "",
  "{",
  "null",
  "5",
  '"x"',
  "[1]",
  '{"kind":1}',
  "NaN",
  "1e999",
  "-1e300",
  "\u0000",
  "constructor",
];

async function openWard(): Promise<{ system: SurgeonTestSystem; cases: WardCase[] }> {
  const system = await openSurgeonAtWork();
  const runs = await Promise.all(Array.from({ length: CASES }, () => system.submit({ order_id: "A-1234" })));
  const cases = await Promise.all(
    runs.map(({ runId }) => system.untilCase(runId, ({ status }) => status === "quarantined")),
  );
  return { system, cases };
}

/** All keys that hold records of the ward, the runs, or the registry, with what stands in them. */
async function records(system: SurgeonTestSystem): Promise<{ key: string; type: string }[]> {
  const { redis, keys } = system.store;
  const own = await redis.keys(`${keys.prefix}:*{*}/*`);
  const listed = own.filter((key) => /:ward:\{s0\}\/|\{s0\}\/(?:runs|feedback)\/|\{registry\}\//.test(key));
  return Promise.all(listed.map(async (key) => ({ key, type: await redis.type(key) })));
}

/** Every listing that people see. */
async function listAll({ store, recipes }: SurgeonTestSystem): Promise<Readonly<Record<string, unknown>>> {
  const groups = await store.cases.groups.list({ offset: 0, limit: 50 });
  return {
    cases: (await findCases(store, { filter: {}, limit: 50 })).cases,
    groups,
    recipes: await Promise.all(groups.map(({ fingerprint }) => recipes.of(fingerprint))),
    runs: await store.runs.list({ limit: 50 }),
    agents: await store.registry.live(),
    batches: await groupBatches(store).list(),
    audit: await store.cases.audit(null, 100),
  };
}

it("lists all the others, and the damaged one as damaged, whichever field of whichever record was changed", async () => {
  const { system, cases } = await openWard();
  const { redis } = system.store;
  const whole = await listAll(system);
  expect(whole).toMatchObject({ cases: { length: CASES }, runs: { length: CASES } });
  const hashes = (await records(system)).filter(({ type }) => type === "hash").map(({ key }) => key);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...hashes),
      fc.nat(),
      fc.constantFrom(...GARBAGE),
      async (key, at, garbage) => {
        const fields = Object.entries(await redis.hgetall(key));
        const [name, before] = fields[at % fields.length] ?? ["", ""];
        await redis.hset(key, name, garbage);
        try {
          const listed = await listAll(system);
          expect(listed, `${key} ${name}`).toMatchObject({
            cases: { length: CASES },
            runs: { length: CASES },
          });
          // Numbers that are none become null in JSON, and no reader of a list expects that.
          expect(JSON.stringify(listed["cases"])).not.toMatch(/"\w+_ms":null(?<!closed_ms":null)/);
          for (const { case_id } of cases) await getCase(system.store, case_id);
        } finally {
          await redis.hset(key, name, before);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it("lists the others beside a case, a run, and lines of audits and logs that hold something else altogether", async () => {
  const { system, cases } = await openWard();
  const { redis, keys, runs, cases: ward } = system.store;
  const [one] = cases;
  const [caseId, runId] = [one?.case_id ?? "", one?.run_id ?? ""];
  for (const key of [keys.ward(`case:${caseId}`), keys.run(runId)]) {
    await redis.del(key);
    await redis.set(key, "something else");
  }
  await redis.lpush(keys.ward("audit"), "{", "5");
  await redis.rpush(`${keys.run(runId)}:log`, "{");
  const { cases: listed } = await findCases(system.store, { filter: {}, limit: 50 });
  expect(listed.map(({ unreadable }) => unreadable).filter((names) => names.length > 0)).toEqual([
    ["record"],
  ]);
  expect(listed).toHaveLength(CASES);
  const listedRuns = await runs.list({ limit: 50 });
  expect(listedRuns).toHaveLength(CASES);
  expect(listedRuns.find(({ run_id }) => run_id === runId)?.unreadable).toEqual(["record"]);
  expect((await ward.audit(null, 2)).map(({ action }) => action)).toEqual(["damaged", "damaged"]);
  expect((await runs.events(runId, { from: -1, limit: 1 })).map(({ type }) => type)).toEqual(["unreadable"]);
});

it("names the edges that a surgeon's key file of an older release does not verify, and none of a new one", () => {
  const desk = agent("desk@1", { accepts: Refund, handle: (_input, ctx) => ctx.complete({}) });
  const front = agent("front@1", {
    accepts: Refund,
    to: { desk: Refund },
    handle: (input, ctx) => ctx.handoff("desk", input),
  });
  const teams = [team("help", [front, desk])];
  const issued = { master: createMaster(), edges: edgesOf(teams) };
  const older = issueKeyring({ ...issued, agent: "surgeon" });
  const missing = findUnverifiable(older, teams);
  expect(missing).toEqual(expect.arrayContaining(["front>desk", "gateway>desk", "desk>ward"]));
  expect(missing).not.toContain("surgeon>desk");
  const whole = Keyring.merge([older, issueVerifyingKeyring(issued)]);
  expect(findUnverifiable(whole, teams)).toEqual([]);
});
