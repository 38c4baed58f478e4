import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { addEndedRuns, itWithPostgres, openTestArchive, startPostgres } from "#shared/archive/testing";
import { uuidv7 } from "#shared/clock";
import { loadConfig } from "#shared/config";
import { accessRules, Keys, REDIS_USERS, Store, waitUntilReady } from "#shared/store";
import type { RedisUser } from "#shared/store";
import { findCases } from "#shared/ward";
import { answerOf, startedForm } from "../services/gateway/testing/answer.ts";
import { measure as measureForConsole } from "../services/console/live/measure.ts";
import { startPrivateRedis } from "../infra/redis/private-redis.ts";
import {
  keepRedisPasswords,
  redisUserLines,
  urlWithLogin,
  writeRedisAcl,
} from "../services/cli/keys/redis-users.ts";
import { startOwnRedis } from "./support/redis-servers.ts";
import { spawnAgents } from "./support/service-process.ts";
import officeTeam from "./support/office-team/office/team.ts";
import { openOfficeDeployment } from "./support/office-deployment.ts";
import { temporaryFolder } from "#shared/testing";

const TEAMS = "tests/support/office-team";

/** Each lets one user stop the server, or see what others do. */
const STOPS_OR_WATCHES_ALL = [
  ["EVAL", "while true do end", "0"],
  ["EVAL_RO", "while true do end", "0"],
  ["EVALSHA", createHash("sha1").update("while true do end").digest("hex"), "0"],
  ["FCALL", "f", "0"],
  ["FUNCTION", "LOAD", "#!lua name=x\nreturn 1"],
  ["CLIENT", "TRACKING", "ON", "BCAST"],
  ["CLIENT", "PAUSE", "100000"],
  ["CLIENT", "KILL", "TYPE", "normal"],
  ["CLIENT", "LIST"],
  ["SCAN", "0", "COUNT", "1000000000"],
  ["RANDOMKEY"],
  ["SUBSCRIBE", "__keyspace@0__:*"],
  ["PSUBSCRIBE", "*"],
  ["LCS", "acl:{s0}/led/a", "acl:{s0}/inbox/b"],
  ["SORT_RO", "acl:{s0}/led/a"],
  ["SRANDMEMBER", "acl:{s0}/led/a", "-1000000000000"],
  ["SETRANGE", "acl:{s0}/led/a", "536870911", "x"],
  ["BLPOP", "acl:{s0}/led/a", "0"],
  ["OBJECT", "FREQ", "acl:{s0}/led/a"],
  ["MEMORY", "USAGE", "acl:{s0}/led/a"],
  ["LATENCY", "DOCTOR"],
  ["SLOWLOG", "GET"],
  ["COMMAND", "LIST"],
];

/** A Redis with the users that `suture redis-acl` writes. The test itself looks as `default`. */
async function openGuardedRedis(prefix: string) {
  const passwords = keepRedisPasswords(join(temporaryFolder(), "passwords.json"));
  const own = await startOwnRedis();
  for (const line of redisUserLines(prefix, passwords)) {
    const [, user = "", ...rules] = line.split(" ");
    if (user !== "default") await own.redis.call("ACL", "SETUSER", user, "reset", ...rules);
  }
  return { own, urlOf: (user: RedisUser): string => urlWithLogin(own.url, user, passwords) };
}

it("lets every service do all its work under its own user, through the ward and back", async () => {
  const prefix = "acl";
  const { own, urlOf } = await openGuardedRedis(prefix);
  const { system, gateway, running, order, end } = await openOfficeDeployment(
    { url: own.url, prefix },
    {},
    { gateway: urlOf("gateway"), surgeon: urlOf("surgeon") },
  );
  await running.stop(1000);
  for (const agent of ["inbox", "desk", "archive"]) {
    spawnAgents(system, [agent], { REDIS_URL: urlOf("agent"), SUTURE_TEAMS: TEAMS });
  }
  // Three processes start, which takes its time on a busy machine.
  const agentsAtWork = async (): Promise<number> =>
    (await system.store.registry.live()).filter(({ pid }) => pid !== process.pid).length;
  await expect.poll(agentsAtWork, { timeout: 90_000, interval: 100 }).toBe(3);
  await end(await order("sound"));
  // The gateway audits all runs with what it may read.
  const stats = async (): Promise<unknown> => (await gateway.send("/v1/stats")).json();
  await expect.poll(stats).toMatchObject({ audit: { done_at: expect.any(String) } });
  const healed = await order("broken", { broken: true });
  await end(healed);
  // A webhook that cannot be reached is tried, and the try is written down, with the gateway's own login.
  const notified = gateway.post("/v1/tasks", {
    team: officeTeam.name,
    input: { id: "notified", seats: 3 },
    webhook: { url: "https://localhost:9/hook" },
  });
  const { run_id: notifiedId } = await answerOf(notified, startedForm);
  await end(notifiedId);
  const webhook = () => system.store.webhooks.find(notifiedId);
  await expect.poll(webhook).toMatch(/failures\W+[1-9]/);
  for (const path of ["/v1/stats", "/v1/agents", `/v1/runs/${healed}/events`, "/readyz"])
    expect((await gateway.send(path)).status, path).toBe(200);
  expect((await gateway.send(`/v1/runs/${healed}/cancel`, { method: "POST" })).status).toBeLessThan(500);
  const console = new Store({ ...system.store.options, url: urlOf("console") });
  onTestFinished(() => console.close());
  const seen = await measureForConsole({
    store: console,
    teams: [officeTeam],
    config: loadConfig({}),
  });
  expect(seen.equation).toMatchObject({ submitted: 3, completed: 3 });
  expect((await findCases(console, { filter: { run_id: healed }, limit: 5 })).cases).toHaveLength(1);
  const queue = console.queues.of("inbox", "fresh");
  await queue.pause();
  await queue.resume();
  // Reads of the lists of queues, and commands of retiring.
  await queue.getJobs(["completed", "delayed"], 0, 9);
  await queue.getMetrics("completed");
  await queue.getJobState("absent");
  await queue.clean(3_600_000, 10, "completed");
  for (const priority of ["low", "normal"] as const)
    await console.queues.add({
      lane: "fresh",
      agent: "inbox",
      jobId: `large-${priority}`,
      data: { sealed: "x".repeat(600_000) },
      delayMs: 60_000,
      priority,
    });
  // A refusal on the way would be in the log of Redis.
  const log = (await own.redis.call("ACL", "LOG")) as unknown[];
  expect(log).toEqual([]);
});

it("keeps the ward's keys from every name that an agent may have", () => {
  const keys = new Keys("acl");
  const ofAgents = accessRules("acl").find(({ user }) => user === "agent")?.keys ?? [];
  const reached = (key: string): boolean =>
    ofAgents.some((pattern) => key.startsWith(pattern.replace(/[*].*$/, "")));
  for (const name of ["runs", "feedback", "led", "ward:", "inbox", "gateway", "x}:y"]) {
    expect(reached(keys.job(name, "wait")), name).toBe(true);
    for (const own of [keys.ward(`examples:${name}/c`), keys.gateway(name), keys.people(name)])
      expect(reached(own), own).toBe(false);
  }
  // An agent of that name is refused when it is declared; its queue would be the ward's.
  expect(reached(keys.job("ward", "wait"))).toBe(false);
});

it("denies what no service needs: dangerous commands, others' keys, and any write to who only looks", async () => {
  const prefix = "acl";
  const { own } = await openGuardedRedis(prefix);
  const isDenied = async (user: string, ...command: string[]): Promise<boolean> =>
    (await own.redis.call("ACL", "DRYRUN", user, ...command)) !== "OK";
  const never = [
    ["FLUSHALL"],
    ["FLUSHDB"],
    ["KEYS", "*"],
    ["CONFIG", "GET", "*"],
    ["CONFIG", "SET", "maxmemory", "1"],
    ["SCRIPT", "FLUSH"],
    ["DEBUG", "SLEEP", "0"],
    ["SHUTDOWN"],
    ["ACL", "LIST"],
    ["MONITOR"],
    ["SWAPDB", "0", "1"],
    ["REPLICAOF", "NO", "ONE"],
    ["SET", "somebody:else", "1"],
    ["GET", "somebody:else"],
    ...STOPS_OR_WATCHES_ALL,
  ];
  for (const user of REDIS_USERS)
    for (const command of never)
      expect(await isDenied(user, ...command), `${user} ${command.join(" ")}`).toBe(true);
  const ward = `${prefix}:ward:{s0}`;
  const foreign = [
    ["PUBLISH", "somewhere", "x"],
    // The gateway's record of clients' repeats.
    ["HDEL", `${prefix}:gateway:{s0}/idempotency:x`, "run_id"],
    // Cases are the surgeon's and the console's; an agent appends to the inbox and does nothing else there.
    ["HSET", `${ward}/case:c`, "status", "discharged"],
    ["HGETALL", `${ward}/case:c`],
    ["HSET", `${ward}/case:c`, "decision", "{}"],
    ["HSET", `${ward}/batch:b`, "state", "running"],
    ["HSET", `${ward}/recipe:r`, "state", "trusted"],
    ["HSET", `${ward}/group:f`, "lifecycle", "resolved"],
    ["LPUSH", `${ward}/audit`, "{}"],
    ["LPUSH", `${ward}:ward:wait`, "x"],
    ["DEL", `${ward}:ward:wait`],
    ...["LRANGE 0 -1", "DEL", "LTRIM 1 0", "LPOP", "LSET 0 x", "EXPIRE 1", "RENAME y"].map((one) => {
      const [command = "", ...rest] = one.split(" ");
      return [command, `${ward}/inbox`, ...rest];
    }),
    ["COPY", `${ward}/inbox`, `${prefix}:{s0}/led/a:x`],
    ["LMOVE", `${ward}/inbox`, `${prefix}:{s0}/led/a:x`, "LEFT", "LEFT"],
    // Acts and orders of people.
    ["RPUSH", `${prefix}:{people}/records`, "{}"],
    ["LTRIM", `${prefix}:{people}/records`, "0", "0"],
    ["SET", `${prefix}:{people}/head`, "{}"],
    ["HSET", `${prefix}:{people}/orders`, "pause:desk", "{}"],
  ];
  for (const command of foreign) expect(await isDenied("agent", ...command), command.join(" ")).toBe(true);
  expect(await isDenied("agent", "RPUSH", `${ward}/inbox`, "{}")).toBe(false);
  expect(await isDenied("agent", "HGET", `${prefix}:{people}/orders`, "pause:desk")).toBe(false);
  // Acts of agents of one domain against each other, as docs/operating/trust.md says.
  for (const command of [
    ["LPUSH", `${prefix}:{s0}:archive:wait`, "x"],
    ["HSET", `${prefix}:{s0}/led/desk:m`, "outcome", "{}"],
    ["HSET", `${prefix}:{s0}/runs/run:r`, "status", "completed"],
    ["HSET", `${prefix}:{s0}/feedback/rates:h:1`, "b|desk@1|a@1|-|-", "99"],
  ])
    expect(await isDenied("agent", ...command), command.join(" ")).toBe(false);
  expect(await isDenied("gateway", "HSET", `${prefix}:{s0}/led/desk:m`, "outcome", "{}")).toBe(true);
  expect(await isDenied("gateway", "HSET", `${ward}/case:c`, "status", "discharged")).toBe(true);
  expect(await isDenied("surgeon", "GET", `${prefix}:{s0}/once/desk:x`)).toBe(true);
  for (const user of REDIS_USERS)
    for (const command of [
      ["RPUSH", `${prefix}:{people}/records`, "{}"],
      ["HSET", `${prefix}:{people}/orders`, "pause:desk", "{}"],
      ["HSET", `${prefix}:{people}/webhook-tests`, "id", "receiver"],
    ])
      expect(await isDenied(user, ...command), `${user} ${command.join(" ")}`).toBe(user !== "console");
  for (const user of ["surgeon", "agent", "gateway"])
    expect(await isDenied(user, "HGETALL", `${prefix}:{people}/webhook-tests`)).toBe(user !== "surgeon");
  // Keys of clients: whoever may write there can make one.
  const plant = ["HSET", `${prefix}:{door}/api-keys`, "0".repeat(64), "{}"];
  for (const user of REDIS_USERS)
    expect(await isDenied(user, ...plant), `${user} makes a key`).toBe(user !== "console");
  expect(await isDenied("gateway", "HGETALL", `${prefix}:{door}/api-keys`)).toBe(false);
  for (const write of [
    ["SET", `${prefix}:x`, "1"],
    ["DEL", `${prefix}:x`],
    ["EVAL", "return 1", "0"],
  ])
    expect(await isDenied("readonly", ...write), write.join(" ")).toBe(true);
  expect(await isDenied("readonly", "HGETALL", `${prefix}:{s0}/runs/counts`)).toBe(false);
  expect(await own.redis.acl("WHOAMI")).toBe("default");
});

it("cuts off who asks for an endless reply, and serves the others", async () => {
  const { own, urlOf } = await openGuardedRedis("acl");
  const attacker = new Redis(urlOf("agent"), { maxRetriesPerRequest: 0 });
  attacker.on("error", () => undefined);
  onTestFinished(() => attacker.disconnect());
  await attacker.hset("acl:{s0}/led/a", "field", "x".repeat(1000));
  const ended = attacker.hrandfield("acl:{s0}/led/a", -1_000_000_000_000).catch(String);
  expect(await own.redis.ping()).toBe("PONG");
  expect(await ended).toMatch(/max retries|closed/i);
});

it("keeps what scripts wrote when Redis starts again with its users, and lets nobody in as the default one", async () => {
  const dataDir = temporaryFolder();
  const passwords = keepRedisPasswords(join(dataDir, "passwords.json"));
  const users = redisUserLines("acl", passwords);
  const own = await startPrivateRedis({ dataDir, durability: "durable", say: () => undefined, users });
  onTestFinished(() => own.stop());
  const open = (username: string, password: string): Redis => {
    const redis = new Redis({ path: own.address, username, password, retryStrategy: () => null });
    onTestFinished(() => redis.disconnect());
    return redis.on("error", () => undefined);
  };
  // A script's writes are a transaction in the append-only file.
  await open("agent", passwords.agent)
    .multi()
    .set("acl:{s0}/led/a:x", "1")
    .set("acl:{s0}/led/a:y", "1")
    .exec();
  const killed = own.pid;
  process.kill(killed, "SIGKILL");
  await expect.poll(() => own.pid).not.toBe(killed);
  await expect
    .poll(() => open("agent", passwords.agent).mget("acl:{s0}/led/a:x", "acl:{s0}/led/a:y"))
    .toEqual(["1", "1"]);
  for (const password of ["", "guessed", passwords.agent])
    await expect(open("default", password).get("acl:{s0}/led/a:x")).rejects.toThrow(
      /NOAUTH|WRONGPASS|closed/,
    );
});

it("admits the scripts of the release before until the file is written anew", async () => {
  const out = temporaryFolder();
  const former = `+evalsha|${"a".repeat(40)}`;
  writeFileSync(join(out, "users.acl"), `user gateway on ${former}\n`, { mode: 0o600 });
  writeRedisAcl({ out });
  const lines = readFileSync(join(out, "users.acl"), "utf8").split("\n");
  const admitted = lines.filter((line) => line.includes(former)).map((line) => line.split(" ")[1]);
  expect(admitted).toContain("gateway");
  expect(admitted).not.toContain("readonly");
});

itWithPostgres("lets the gateway and the surgeon move what has ended under their own users", async () => {
  const prefix = "acl";
  const { own, urlOf } = await openGuardedRedis(prefix);
  const options = { prefix, role: "producer", retentionMs: 3_600_000, ledgerLifeMs: 3_600_000 } as const;
  const open = async (url: string): Promise<Store> => {
    const store = new Store({ ...options, url, onError: () => undefined });
    onTestFinished(() => store.close());
    await waitUntilReady(store.redis, 30_000);
    return store;
  };
  const store = await open(own.url);
  const [ended = "", ill = ""] = await addEndedRuns(store, 2);
  const sets = { run_id: ill, team: "t" };
  const closed = {
    caseId: uuidv7(),
    expectedVersion: 0,
    status: "discarded",
    fingerprint: "f",
    sets,
  } as const;
  await store.cases.write({ ...closed, effects: null, audit: null });
  const archive = openTestArchive(await startPostgres(), { prefix });
  const gateway = archive.moverOf(await open(urlOf("gateway")));
  const { signal } = new AbortController();
  expect(await gateway.round(signal)).toBe(1);
  expect(await archive.caseMoverOf(await open(urlOf("surgeon"))).round(Date.now() + 1000)).toBe(1);
  expect(await gateway.round(signal)).toBe(1);
  expect(await store.redis.exists(store.keys.run(ended), store.keys.run(ill))).toBe(0);
});
