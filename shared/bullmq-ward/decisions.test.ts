import { expect, it } from "vitest";
import type { CaseGroup } from "./group-cases.ts";
import type { BullmqWard } from "./bullmq-ward.ts";
import { ENGINES } from "./testing/engines.ts";
import { casesOf, counts, eventually, failAll, first, openBench } from "./testing/open-bench.ts";

const [, engine] = ENGINES[0] ?? [];
if (engine === undefined) throw new Error("There is no BullMQ to test with.");

async function groupsOf(ward: BullmqWard): Promise<readonly CaseGroup[]> {
  let last: readonly CaseGroup[] = [];
  for await (const groups of ward.survey()) last = groups;
  return last;
}

async function onlyGroup(ward: BullmqWard): Promise<string> {
  const [group, ...others] = await groupsOf(ward);
  if (group === undefined || others.length > 0) throw new Error("There is not one group.");
  return group.id;
}

const texts = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ data: { order: `o${n}`, amount: `${n}`, paid: true } }));

it("tries a group on a few jobs, sends the others when these completed, and says before what it would do", async () => {
  const bench = openBench(engine);
  await failAll(bench, texts(8));
  const ward = bench.ward();
  const id = await onlyGroup(ward);
  const dry = await ward.applyToGroup(id, { by: "ann", repair: "rules", isDryRun: true });
  expect(dry).toMatchObject({ matched: 8, sent: 8, stopped: null });
  expect(dry.examples[0]?.changes).toEqual([{ op: "replace", path: "/amount", value: 0 }]);
  expect(await counts(bench.queue)).toEqual([8, 0]);
  const held = await ward.applyToGroup(id, { by: "ann", repair: "rules" });
  expect(held).toMatchObject({ sent: 0, held: { effects_unknown: 8 } });
  const decision = { by: "ann", repair: "rules", acceptsEffects: true, canary: 2 } as const;
  // Nobody works: the trial never ends.
  const pending = await ward.applyToGroup(id, { ...decision, canaryWaitMs: 50 });
  expect(pending).toMatchObject({ sent: 2, stopped: "canary_pending" });
  bench.startWorker();
  expect(await ward.applyToGroup(id, decision)).toMatchObject({ sent: 6, stopped: null });
  await eventually(async () => expect(await counts(bench.queue)).toEqual([0, 8]));
  expect(bench.succeeded).toHaveLength(8);
});

it("stops at a trial that fails again, and undoes its batch", async () => {
  const bench = openBench(engine);
  await failAll(bench, texts(5));
  const ward = bench.ward({ mayRepeatEffects: true });
  const before = (await casesOf(ward)).map(({ data }) => String(data));
  bench.startOther("orders", () => Promise.reject(new Error("the shop is closed")));
  const report = await ward.applyToGroup(await onlyGroup(ward), { by: "ann", repair: "rules", canary: 2 });
  expect(report).toMatchObject({ sent: 2, stopped: "canary_failed" });
  await eventually(async () => expect(await counts(bench.queue)).toEqual([5, 0]));
  expect(await ward.undoBatch(report.batch, "ben")).toEqual({ undone: 2 });
  expect((await casesOf(ward)).map(({ data }) => String(data)).toSorted()).toEqual(before.toSorted());
  expect(await ward.undoBatch(report.batch, "ben")).toEqual({ nothing_kept: 2 });
});

it("learns a recipe from one repair by hand, applies it to jobs of the same fault, and to no other", async () => {
  const bench = openBench(engine);
  const wrong = (n: number) => ({ data: { n: { order: `o${n}`, sum: n, paid: true } } });
  await failAll(bench, [
    ...[1, 2, 3].map((n) => ({ data: { ref: `order-${n}`, total: 1000 + n, paid: true } })),
    { data: { ref: "order-9", total: "?", paid: false } },
    wrong(4),
  ]);
  const ward = bench.ward({ mode: "redrive", mayRepeatEffects: true });
  expect(await ward.sweep()).toMatchObject({ proposed: 0 });
  const example = await first(ward);
  expect(await ward.learn(example, '{"order":"invented","amount":77,"paid":true}', "ann")).toMatchObject({
    kind: "none",
  });
  expect(await ward.learn(example, '{"order":"o1"}', "ann")).toMatchObject({ kind: "none" });
  const n = /\d/.exec(example.data ?? "")?.[0] ?? "";
  const learned = await ward.learn(example, `{"order":"order-${n}","amount":100${n},"paid":true}`, "ann");
  expect(learned).toMatchObject({ kind: "learned", recipe: { by: "ann" } });
  expect(JSON.stringify(learned)).not.toContain(`order-${n}`);
  bench.startWorker();
  expect(await ward.sweep()).toMatchObject({ proposed: 3, redriven: 3 });
  await eventually(async () => expect(await counts(bench.queue)).toEqual([2, 3]));
  const done = await bench.queue.getJobs(["completed"], 0, 10);
  expect(done.map(({ data }): unknown => data)).toContainEqual({
    order: "order-2",
    amount: 1002,
    paid: true,
  });
  const [recipe] = await ward.recipes();
  expect(await ward.forgetRecipe(recipe?.id ?? "")).toBe(true);
  expect(await ward.recipes()).toEqual([]);
});
