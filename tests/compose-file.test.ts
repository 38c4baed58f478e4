import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { loadTeams } from "#shared/runtime/process";

/** Rules that the compose file keeps for every container; `npm run check:deploy` starts them. */

const serviceSchema = z.object({
  command: z.array(z.string()).min(1),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()),
  user: z.string().regex(/^\d+:\d+$/),
  init: z.literal(true),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal("ALL")]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()),
  pids_limit: z.int().min(1),
  mem_limit: z.string().min(1),
  healthcheck: z.object({ disable: z.boolean().default(false) }),
  networks: z.array(z.string()).default([]),
  network_mode: z.literal("none").optional(),
  restart: z.enum(["no", "unless-stopped"]),
});
const fileSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) })),
});

const file = fileSchema.parse(
  parse(readFileSync("docker-compose.yml", "utf8"), { merge: true, maxAliasCount: -1 }),
);
const services = Object.entries(file.services);
const mounting = (volume: string): string[] =>
  services.flatMap(([name, { volumes }]) =>
    volumes.some((mount) => mount.startsWith(`${volume}:`)) ? [name] : [],
  );

it("gives every agent a container and a group of its own, and each container its own volume of secrets", async () => {
  const teams = await loadTeams("services/agents");
  const commands = services.map(([, { command }]) => command.join(" "));
  for (const agent of new Set(teams.flatMap((team) => [...team.agents.keys()])))
    expect(commands.some((command) => command.endsWith(` ${agent}`))).toBe(true);
  const groups = services.map(([, { user }]) => user.split(":")[1]);
  expect(new Set(groups).size).toBe(groups.length);
  const secrets = services.flatMap(([name, { volumes }]) =>
    name === "keys" ? [] : volumes.filter((mount) => mount.startsWith("secrets-")),
  );
  expect(new Set(secrets).size).toBe(secrets.length);
  for (const mount of secrets) expect(mount).toMatch(/:\/run\/secrets:ro$/);
  expect(mounting("redis")).toEqual(["redis"]);
});

it("shows the master and the model's key to the one container that issues keys, which has no network", () => {
  expect(mounting("data")).toEqual(["keys"]);
  expect(file.services["keys"]).toMatchObject({ network_mode: "none", restart: "no" });
  const holding = services.filter(([, { environment }]) =>
    Object.values(environment).some((value) => /\$\{(?:OPENAI|SUTURE)_API_KEYS?\b/.test(value)),
  );
  expect(holding.map(([name]) => name)).toEqual(["keys"]);
});

it("runs all but that one without root and capabilities", () => {
  for (const [name, { user, cap_add: added, healthcheck, security_opt: options }] of services) {
    expect(!user.startsWith("0:") && added.length === 0 && !healthcheck.disable, name).toBe(name !== "keys");
    expect(options[0], name).toBe("no-new-privileges:true");
    // The profile that lets code be put into namespaces.
    expect(options.length > 1, name).toBe(["reader", "agent-explorer", "agent-verifier"].includes(name));
  }
});

it("keeps Redis, the reader, and each agent that asks no model on networks without a way out", () => {
  expect(file.networks).toMatchObject({ inside: { internal: true }, reading: { internal: true } });
  expect(file.services["redis"]?.networks).toEqual(["inside"]);
  expect(file.services["reader"]?.networks).toEqual(["reading"]);
  const reading = services.filter(([, { networks }]) => networks.includes("reading"));
  expect(reading.map(([name]) => name)).toEqual(["reader", "agent-ingest"]);
  for (const [name, { networks, environment }] of services)
    if (name.startsWith("agent-"))
      expect(networks.includes("outside"), name).toBe(environment["OPENAI_API_KEY"] !== undefined);
});
