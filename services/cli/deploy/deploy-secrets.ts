import { createHash } from "node:crypto";
import { join } from "node:path";
import { randomHex } from "#shared/clock";
import type { Config } from "#shared/config";
import type { Team } from "#shared/runtime";
import type { RedisUser } from "#shared/store";
import type { SecretFile } from "../compose/containers.ts";
import { secretText } from "../compose/write-secrets.ts";
import type { Makers } from "../compose/write-secrets.ts";
import { urlWithLogin, writeRedisAcl } from "../keys/redis-users.ts";
import { keepSecret } from "../launcher/key-files.ts";
import { secretName } from "./deployments.ts";
import { containersOf, kustomization, overlaysOf } from "./render.ts";
import type { Overlay, RenderChoices, RenderedFile } from "./render.ts";
import { addressOf } from "./scaling.ts";

const TOKEN_BYTES = 24;
const ROLES = ["agent", "gateway", "surgeon", "console"] as const satisfies readonly RedisUser[];

/** The key with which Prometheus reads the gateway's metrics: of the scope that may least. */
const METRICS_KEY = "prometheus:viewer";

/**
 * Returns the secrets of a deployment: for each agent the keys of its own edges, in a Secret of its own, and for each
 * overlay the logins of roles. From the same master as before; makes what there is not yet.
 */
export function secretFiles(teams: readonly Team[], config: Config, choices: RenderChoices): RenderedFile[] {
  const { agents, services, readers, redis } = containersOf(teams, choices);
  const redisDir = join(config.dataDir, "redis-users");
  const makers: Makers = { config, teams, redisDir, passwords: writeRedisAcl({ out: redisDir }), redis: "" };
  const kept = (name: string): string =>
    keepSecret(join(config.dataDir, "keys", name), () => randomHex(TOKEN_BYTES));
  const [scaler, metrics] = [kept("scaler-password"), kept("metrics-key")];
  const added: Readonly<Partial<Record<SecretFile, string>>> = {
    "users.acl": `\n${scalerUser(choices.prefix, scaler)}`,
    "api-keys": `\n${METRICS_KEY}:${metrics}`,
  };
  const given = [redis, ...services, ...readers, ...agents].flatMap((container) =>
    container.secrets
      .filter((file) => file !== "redis-url")
      .map((file) => ({
        path: `${secretName(file, container)}/${file}`,
        text: () => `${secretText(file, container, makers).trim()}${added[file] ?? ""}\n`,
      })),
  );
  // Each file once: some are given to several containers.
  const texts = new Map(given.map(({ path, text }) => [path, text]));
  const files = [...texts].map(([path, text]) => ({ path, text: text() }));
  const { namespace } = choices;
  return [
    ...secretFolder("all", [...files, { path: "metrics-key/token", text: metrics }], { namespace }),
    ...overlaysOf(choices).flatMap((overlay) =>
      secretFolder(overlay.name, logins(overlay, makers, scaler), { namespace, resources: ["../all"] }),
    ),
  ];
}

/** Returns the logins of roles to the Redis of an overlay, and KEDA's. */
function logins({ addresses }: Overlay, { passwords }: Makers, scaler: string): RenderedFile[] {
  const { username, password } = addressOf(addresses[0] ?? "");
  const login = (role: RedisUser): string =>
    addresses.map((url) => (url.includes("@") ? url : urlWithLogin(url, role, passwords))).join(" ");
  return [
    ...ROLES.map((role) => ({ path: `redis-${role}/redis-url`, text: `${login(role)}\n` })),
    { path: "scaler/username", text: password === null ? "scaler" : (username ?? "default") },
    { path: "scaler/password", text: password ?? scaler },
  ];
}

function secretFolder(name: string, files: readonly RenderedFile[], given: object): RenderedFile[] {
  const names = [...new Set(files.map(({ path }) => path.split("/")[0] ?? ""))];
  const fields = {
    ...given,
    // Their names stay: a pod reads changed keys without a restart.
    generatorOptions: { disableNameSuffixHash: true },
    secretGenerator: names.map((secret) => ({
      name: secret,
      files: files.filter(({ path }) => path.startsWith(`${secret}/`)).map(({ path }) => path),
    })),
  };
  const folder = `secrets/${name}`;
  return [
    kustomization(folder, fields),
    ...files.map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
  ];
}

/** Returns the user that may count messages in queues: KEDA does it with a script, which may call nothing else. */
export function scalerUser(prefix: string, password: string): string {
  const digest = createHash("sha256").update(password).digest("hex");
  const commands = ["eval", "evalsha", "type", "llen", "zcard", "ping", "hello", "auth", "select"];
  const queues = `~${prefix}:{s*}:*`;
  return `user scaler on #${digest} resetkeys resetchannels ${queues} -@all ${commands.map((one) => `+${one}`).join(" ")}`;
}
