import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { expect, vi } from "vitest";
import { Keyring } from "#shared/envelope/keys";
import { Keys } from "#shared/store";
import { docker } from "../../infra/deploy/engine.ts";
import { addressOf, containerOf, pidOf, volumeOf } from "../../infra/deploy/stack.ts";
import type { Api } from "../../services/cli/http/call-api.ts";
import { readApis, secretOf, startModel } from "../deploy/open-deployment.ts";

const OVERSEER = { username: "overseer", password: "of-the-tests-alone" } as const;
/** Services whose processes the attack aims at, or the tests stop. */
const AIMED_AT = ["agent-sales", "agent-escalation", "agent-refunds", "surgeon"] as const;

export interface AttackedCluster {
  /** Processes as this machine numbers them. */
  readonly pids: Readonly<Record<(typeof AIMED_AT)[number], number>>;
  /** Looks at everything, as nobody else may: a user of Redis that the tests add. */
  readonly overseer: Redis;
  readonly keys: Keys;
  readonly gateway: Api;
  readonly console: Api;
  /** Opens a connection as somebody with these credentials. */
  connect(login: { readonly username: string; readonly password: string }): Redis;
  loginOf(container: string): { readonly username: string; readonly password: string };
  keyringOf(container: string): Keyring;
  close(): Promise<void>;
}

/** Opens the containers that `npm run check:deploy` has brought up on empty volumes, as nothing has used them yet. */
export async function openAttackedCluster(): Promise<AttackedCluster> {
  const apis = readApis();
  const { username, password } = OVERSEER;
  appendFileSync(
    join(volumeOf("secrets-redis"), "users.acl"),
    `user ${username} on >${password} ~* &* +@all\n`,
  );
  await docker("restart", containerOf("redis"));
  const model = await startModel();
  const host = await addressOf("redis");
  const connections: Redis[] = [];
  const connect: AttackedCluster["connect"] = (login) => {
    const redis = new Redis({ host, port: 6379, ...login, maxRetriesPerRequest: 1 });
    redis.on("error", () => undefined);
    connections.push(redis);
    return redis;
  };
  const overseer = connect(OVERSEER);
  await vi.waitFor(() => overseer.config("SET", "acllog-max-len", "1000"), { timeout: 60_000 });
  for (const address of [`${apis.gateway.url}/readyz`, `${apis.console.url}/healthz`])
    await vi.waitFor(async () => expect((await fetch(address)).status).toBe(200), { timeout: 60_000 });
  const pids = await Promise.all(AIMED_AT.map(async (name) => [name, await pidOf(name)] as const));
  return {
    pids: Object.fromEntries(pids) as AttackedCluster["pids"],
    overseer,
    keys: new Keys("suture"),
    ...apis,
    connect,
    loginOf: (container) => {
      const url = new URL(secretOf(container, "redis-url"));
      return { username: url.username, password: url.password };
    },
    keyringOf: (container) => Keyring.fromJson(JSON.parse(secretOf(container, "keys.json"))),
    close: async () => {
      for (const redis of connections) redis.disconnect();
      process.kill(await pidOf("agent-sales"), "SIGCONT");
      model.close();
    },
  };
}
