import { once } from "node:events";
import { expect, it } from "vitest";
import { loadTeams } from "#shared/runtime/process";
import { createTestSystem } from "#shared/testing";
import { spawnService } from "./support/service-process.ts";

it.each(["agents", "surgeon", "gateway", "console"])(
  "%s ends at once where another release's data lies, and changes none of it",
  { timeout: 60_000 },
  async (name) => {
    const [support] = (await loadTeams("services/agents")).filter((team) => team.name === "support");
    if (support === undefined) throw new Error("there is no team support");
    const system = createTestSystem(support);
    const { redis, keys } = system.store;
    await redis.set(keys.dataFormat(), "1");
    const env = { OPENAI_API_KEY: "", SUTURE_GATEWAY_PORT: "0", SUTURE_CONSOLE_PORT: "0" };
    const { child } = spawnService(system, { name, env });
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(await redis.keys(`${keys.prefix}:*`)).toEqual([keys.dataFormat()]);
  },
);
