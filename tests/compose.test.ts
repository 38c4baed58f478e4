import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadTeams } from "#shared/runtime/process";
import { readCompose } from "../infra/compose/read-compose.ts";

/** What the compose file keeps apart. The acts of `red-team` are tried on what it starts, on empty volumes. */

const root = dirname(import.meta.dirname);
const COMPOSE_FILE = join(root, "docker-compose.yml");
const TEAMS = join(root, "services/agents");
const MODEL_KEY = "sk-test-0123456789abcdef";

const file = readCompose(COMPOSE_FILE, { OPENAI_API_KEY: MODEL_KEY });
const services = Object.entries(file.services);

describe("by the compose file", () => {
  it("what Redis keeps is mounted by Redis alone", () => {
    const holders = services.filter(([, { volumes }]) => volumes.some((mount) => mount.startsWith("redis:")));
    expect(holders.map(([name]) => name)).toEqual(["redis"]);
  });

  it("every agent has a container and a group of its own, and no two containers share a volume of secrets", async () => {
    const teams = await loadTeams(TEAMS);
    const agents = [...new Set(teams.flatMap((team) => [...team.agents.keys()]))];
    const commands = services.map(([, { command }]) => command.join(" "));
    for (const agent of agents) expect(commands.some((one) => one.endsWith(` ${agent}`))).toBe(true);
    const groups = services.map(([, { user }]) => user.gid);
    expect(new Set(groups).size).toBe(groups.length);
    const secrets = services
      .filter(([name]) => name !== "keys")
      .flatMap(([, { volumes }]) => volumes.filter((mount) => mount.startsWith("secrets-")));
    expect(new Set(secrets).size).toBe(secrets.length);
    for (const mount of secrets) expect(mount).toMatch(/:\/run\/secrets:ro$/);
  });

  it("the master is in the volume of the one container that issues keys, which has no network", () => {
    const holders = services.filter(([, { volumes }]) => volumes.some((mount) => mount.startsWith("data:")));
    expect(holders.map(([name]) => name)).toEqual(["keys"]);
    expect(file.services["keys"]).toMatchObject({ network_mode: "none", restart: "no" });
  });

  it("no environment but that of the container that issues keys holds a secret", () => {
    const holding = services.filter(([, { environment }]) => JSON.stringify(environment).includes(MODEL_KEY));
    expect(holding.map(([name]) => name)).toEqual(["keys"]);
  });

  it("all but the one that gives files away run without root, and all with what they must not do taken away", () => {
    for (const [name, { user, cap_add: capabilities, healthcheck }] of services) {
      expect(user.uid > 0 && capabilities.length === 0, name).toBe(name !== "keys");
      expect(healthcheck === null, name).toBe(name === "keys");
    }
  });

  it("Redis is on a network without a way out, and so is each agent that asks no model", () => {
    expect(file.networks["inside"]).toEqual({ internal: true });
    expect(file.services["redis"]?.networks).toEqual(["inside"]);
    for (const [name, { networks, environment }] of services)
      if (name.startsWith("agent-"))
        expect(networks.includes("outside"), name).toBe(environment["OPENAI_API_KEY"] !== undefined);
  });
});
