import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Queue, Worker } from "bullmq";
import { expect, it, onTestFinished } from "vitest";
import { testPrefix, testRedis, testRedisUrl, temporaryFolder } from "#shared/testing";
import { untilTrue } from "./support/redis-servers.ts";
import { runCli } from "./support/run-cli.ts";

it("watches a queue, edits, undoes, tries, sends, and detaches with an export, all from the command line", async () => {
  const prefix = testPrefix();
  const redis = testRedis();
  const folder = temporaryFolder();
  const shared = { prefix, connection: { url: testRedisUrl(), maxRetriesPerRequest: null } };
  const queue = new Queue("orders", shared);
  const worker = new Worker(
    "orders",
    (job) => {
      if (typeof job.data.amount !== "number") throw new Error(`amount ${job.data.amount} is no number`);
      return Promise.resolve();
    },
    shared,
  );
  onTestFinished(async () => {
    await worker.close();
    await queue.close();
    redis.disconnect();
  });
  const file = (name: string, value: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  const email = { type: "string", "x-sensitive": true };
  const amount = { type: "integer" };
  const schema = { type: "object", properties: { amount, email }, required: ["amount"] };
  await queue.addBulk([
    { name: "order", data: { amount: "1", email: "ann@a.example" }, opts: { jobId: "one" } },
    { name: "order", data: { amount: "many", email: "ann@a.example" }, opts: { jobId: "many" } },
  ]);
  await untilTrue(async () => (await queue.getFailedCount()) === 2);
  const to = ["--redis", testRedisUrl(), "--queue", "orders", "--prefix", prefix];
  const ward = (...args: string[]) =>
    runCli(["ward", ...args, ...to, "--contract", file("schema.json", schema)]);

  const look = await ward("attach", "--once", "--json");
  const report = JSON.parse(look.stdout) as { groups: { id: string; count: number }[] };
  expect(report.groups).toMatchObject([{ count: 2 }]);
  expect((await ward("attach", "--once")).stdout).toContain("2 failed, 0 with a proved repair, 0 sent back");
  const listed = await ward("attached", "ls", "--json");
  expect(listed.stdout).toContain("many");
  expect(listed.stdout).not.toContain("ann@a");

  const by = ["--by", "ann"];
  const data = file("data.json", { amount: 5 });
  expect(await ward("attached", "edit", "many", ...by, "--data", data)).toMatchObject({ code: 0 });
  expect((await queue.getJob("many"))?.data).toEqual({ amount: 5 });
  expect(await ward("attached", "undo", "many", ...by)).toMatchObject({ code: 0 });
  const held = await ward("attached", "send", "many", ...by, "--data", data);
  expect(held).toMatchObject({ code: 2 });
  expect(held.stdout).toContain("effects_unknown");
  const group = report.groups[0]?.id ?? "";
  const applied = await ward("attached", "apply", group, ...by, "--accepts-effects", "--canary", "1");
  expect(JSON.parse(applied.stdout)).toMatchObject({ matched: 2, sent: 1, unrepaired: 1, stopped: null });
  await untilTrue(async () => (await queue.getCompletedCount()) === 1);

  // Two more jobs with the same fault: what is made of one by hand repairs the other.
  await queue.addBulk(
    ["two", "three"].map((id) => ({ name: "order", data: { sum: 7 }, opts: { jobId: id } })),
  );
  await untilTrue(async () => (await queue.getFailedCount()) === 3);
  const invented = await ward(
    "attached",
    "learn",
    "two",
    ...by,
    "--data",
    file("invented.json", { amount: 8 }),
  );
  expect(invented).toMatchObject({ code: 2 });
  const repaired = file("repaired.json", { amount: 7 });
  const learned = await ward("attached", "learn", "two", ...by, "--data", repaired);
  expect(learned).toMatchObject({ code: 0 });
  const { recipe } = JSON.parse(learned.stdout) as { recipe: { id: string; by: string } };
  expect(recipe.by).toBe("ann");
  expect((await ward("attached", "recipes")).stdout).toMatch(new RegExp(`${recipe.id}.*ann.*rename`));
  const swept = ["attach", "--once", "--mode", "redrive", "--may-repeat-effects"] as const;
  expect((await ward(...swept)).stdout).toContain("2 sent back");
  await untilTrue(async () => (await queue.getCompletedCount()) === 3);
  expect((await queue.getJob("three"))?.data).toEqual({ amount: 7 });
  expect(await ward("attached", "forget", recipe.id)).toMatchObject({ code: 0 });

  const target = join(folder, "cases.jsonl");
  expect(await ward("detach", "--export", target)).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(target, "utf8"))).toMatchObject({
    kind: "failed",
    id: "many",
    original: null,
  });
  expect(await redis.keys(`${prefix}:orders:suture-ward*`)).toEqual([]);
  expect(await ward("detach", "--export", target)).toMatchObject({ code: 2 });
});
