import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Redis } from "ioredis";
import { Keyring } from "#shared/envelope/keys";
import { loadTeams } from "#shared/runtime/process";
import { Keys } from "#shared/store";
import { obtainRedisServer } from "../../infra/redis/obtain-redis-server.ts";
import type { Api } from "../../services/cli/http/call-api.ts";
import { buildImage } from "../../infra/compose/build-image.ts";
import { composeUp } from "../../infra/compose/compose-up.ts";
import type { RunningCompose } from "../../infra/compose/compose-up.ts";
import { readCompose } from "../../infra/compose/read-compose.ts";
import { startModelEndpoint } from "../support/model-endpoint.ts";

const root = dirname(dirname(import.meta.dirname));
const MODEL_KEY = "sk-test-0123456789abcdef";
const OVERSEER = "overseer";

export interface AttackedCluster {
  readonly compose: RunningCompose;
  /** Looks at everything, as nobody else may: a user of Redis that the tests add. */
  readonly overseer: Redis;
  readonly keys: Keys;
  readonly gateway: Api;
  readonly console: Api;
  /** Returns the text of one file in the folder of secrets of a container. */
  secretOf(container: string, file: string): string;
  /** A connection as somebody with these credentials. */
  connect(login?: { readonly username: string; readonly password: string }): Redis;
  loginOf(container: string): { readonly username: string; readonly password: string };
  keyringOf(container: string): Keyring;
  close(): Promise<void>;
}

/** The support team as `suture compose write` arranges it: own processes, users, keys and logins, on empty volumes. */
export async function openAttackedCluster(): Promise<AttackedCluster> {
  const folder = mkdtempSync(join(tmpdir(), "suture-red-team-"));
  const image = buildImage(root, join(folder, "image"), { packages: "linked" });
  const agents = join(image.dir, "services/agents");
  for (const { name } of readdirSync(agents, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    if (name !== "support") rmSync(join(agents, name), { recursive: true });
  execFileSync(
    process.execPath,
    ["services/cli/main.ts", "compose", "write", "--out", "docker-compose.yml"],
    { cwd: image.dir, env: { PATH: process.env["PATH"] ?? "" } },
  );
  const model = await startModelEndpoint(await loadTeams(agents));
  const password = "of-the-tests-alone";
  const compose = await composeUp({
    file: readCompose(join(image.dir, "docker-compose.yml"), {
      OPENAI_API_KEY: MODEL_KEY,
      OPENAI_BASE_URL: model.url,
    }),
    root,
    image,
    folder,
    redis: await obtainRedisServer({
      say: () => undefined,
      fallbackDir: join(root, ".suture", "redis-server"),
    }),
    beforeStart: (name, folders) => {
      if (name !== "redis") return;
      const users = join(folders.volume("secrets-redis"), "users.acl");
      appendFileSync(users, `user ${OVERSEER} on >${password} ~* &* +@all\n`);
    },
  });
  const connections: Redis[] = [];
  const secretOf = (container: string, file: string): string =>
    readFileSync(join(compose.folders.volume(`secrets-${container}`), file), "utf8").trim();
  const addressOf = (container: string): URL => new URL(secretOf(container, "redis-url"));
  const connect: AttackedCluster["connect"] = (login) => {
    const { hostname, port } = addressOf("gateway");
    const redis = new Redis({ host: hostname, port: Number(port), ...login, maxRetriesPerRequest: 1 });
    redis.on("error", () => undefined);
    connections.push(redis);
    return redis;
  };
  const overseer = connect({ username: OVERSEER, password });
  await overseer.config("SET", "acllog-max-len", "1000");
  const key = secretOf("gateway", "api-keys").split(":")[2] ?? "";
  return {
    compose,
    overseer,
    keys: new Keys("suture"),
    gateway: { service: "gateway", url: compose.urlOf("gateway", 8080), key },
    console: { service: "console", url: compose.urlOf("console", 8081), key },
    secretOf,
    connect,
    loginOf: (container) => {
      const { username, password: own } = addressOf(container);
      return { username, password: own };
    },
    keyringOf: (container) => Keyring.fromJson(JSON.parse(secretOf(container, "keys.json"))),
    close: async () => {
      for (const redis of connections) redis.disconnect();
      await compose.kill();
      model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
