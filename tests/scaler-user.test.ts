import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { createTestSystem, testPrefix } from "#shared/testing";
import { agentContainers } from "../services/cli/compose/containers.ts";
import { scalerUser } from "../services/cli/deploy/deploy-secrets.ts";
import { scaledObject } from "../services/cli/deploy/scaling.ts";
import officeTeam from "./support/office-team/office/team.ts";
import { startOwnRedis } from "./support/redis-servers.ts";

/** As KEDA does it: one script for a list, a sorted set and what is not there. */
const COUNT = `
  local kind = redis.call('type', KEYS[1]).ok
  if kind == 'zset' then return redis.call('zcard', KEYS[1]) end
  return redis.call('llen', KEYS[1])`;
const PASSWORD = "scaler-0123456789abcdef";

it("KEDA's user counts the messages of an agent by the rendered keys, and can do nothing else", async () => {
  const own = await startOwnRedis();
  const system = createTestSystem(officeTeam, { store: { url: own.url } });
  const { prefix } = system.store.options;
  const [, name = "", ...rules] = scalerUser(prefix, PASSWORD).split(" ");
  await own.redis.call("ACL", "SETUSER", name, "reset", ...rules);
  const scaler = new Redis({
    port: own.port,
    username: name,
    password: PASSWORD,
    lazyConnect: true,
    enableReadyCheck: false,
  });
  onTestFinished(() => scaler.disconnect());
  const inbox = agentContainers([officeTeam], { fileTeams: [] }).find(({ agent }) => agent === "inbox");
  if (inbox === undefined) throw new RangeError("the office has an inbox");
  const { triggers } = scaledObject(inbox, prefix, { addresses: [own.url], shards: 1 }).spec;
  const count = async (): Promise<number> => {
    const counts = triggers.map(({ metadata }) => scaler.eval(COUNT, 1, metadata["listName"] ?? ""));
    return (await Promise.all(counts)).reduce<number>((sum, one) => sum + Number(one), 0);
  };
  expect(await count()).toBe(0);
  for (const id of ["a", "b", "c"]) await system.submit({ id, seats: 3 });
  expect(await count()).toBe(3);
  const key = triggers[0]?.metadata["listName"] ?? "";
  for (const command of [
    ["LRANGE", key, "0", "-1"],
    ["DEL", key],
    ["LPUSH", key, "x"],
    ["EVAL", "return redis.call('lrange', KEYS[1], 0, -1)", "1", key],
    ["EVAL", "return redis.call('llen', KEYS[1])", "1", `${testPrefix()}:other`],
    ["EVAL", "return redis.call('llen', KEYS[1])", "1", system.store.keys.inbox()],
    ["KEYS", "*"],
  ] as const) {
    const [first, ...args] = command;
    await expect(scaler.call(first, ...args), command.join(" ")).rejects.toThrow(
      /NOPERM|can't run|No permissions|ACL failure/i,
    );
  }
});
