import { isIP } from "node:net";
import { CLOCK_SKEW_MS_MAX, compareClocks, waitUntilReady } from "#shared/store";
import { failed, ok, open, unlessIsolated } from "../finding.ts";
import type { Finding } from "../finding.ts";
import type { Subject } from "../subject.ts";
import { checkRedisUsers } from "./check-redis-users.ts";
import { askUnnamed, openRedisLink } from "./redis-link.ts";
import type { RedisLink } from "./redis-link.ts";

const READY_MS = 5000;
/** Key patterns that a user only reads came with this version. */
const VERSION_MIN = 7;

/** Checks Redis: authentication, TLS, persistence, clock and users. */
export async function checkRedis(subject: Subject): Promise<readonly Finding[]> {
  const link = openRedisLink(subject);
  if (link === null)
    return [failed("Redis", "no address is known", "Set REDIS_URL, or start the services first")];
  try {
    await waitUntilReady(link.store.redis, READY_MS);
    return [
      ok("Redis", `answers, ${link.address.kind}`),
      await checkPassword(link, subject.profile),
      checkTls(link, subject.profile),
      ...(await checkServer(link)),
      await checkClock(link),
      ...(await checkRedisUsers(link, subject)),
    ];
  } catch {
    return [
      failed("Redis", "does not answer, or refuses user and password", "Look at REDIS_URL and its log"),
    ];
  } finally {
    await link.close();
  }
}

async function checkPassword(link: RedisLink, profile: Subject["profile"]): Promise<Finding> {
  const check = "Redis password";
  const answer = await askUnnamed(link, "GET suture-doctor");
  // Redis answers with a nil value or an error.
  if (/^-(?:NOAUTH|NOPERM|DENIED)/.test(answer)) return ok(check, "nobody is let in without one");
  if (!answer.startsWith("$") && !answer.startsWith("-"))
    return ok(check, `who was given nothing hears: ${answer}`);
  return isOnLoopback(link) && profile === "shared"
    ? open(check, "any process of this machine is let in without one", "suture redis-acl, and load users.acl")
    : failed(check, "whoever reaches it is let in without one", "suture redis-acl, and load users.acl");
}

function checkTls(link: RedisLink, profile: Subject["profile"]): Finding {
  const check = "Redis transport";
  if (link.address.isTls) return ok(check, "TLS, with a verified certificate");
  if (isOnLoopback(link)) return ok(check, "this machine alone");
  return unlessIsolated(profile, {
    check,
    seen: "in the clear on its network",
    todo: "Use rediss://, or a network that nobody else is on",
  });
}

async function checkServer(link: RedisLink): Promise<Finding[]> {
  const infos = await link.ask("INFO");
  const valuesOf = (name: string): string[] =>
    infos.map((info) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? "not told");
  const version = valuesOf("redis_version");
  const policies = valuesOf("maxmemory_policy");
  const kept = valuesOf("aof_enabled");
  return [
    version.every((one) => Number.parseInt(one, 10) >= VERSION_MIN)
      ? ok("Redis version", unique(version))
      : open("Redis version", unique(version), "Use 7 or newer for users that only read some keys"),
    policies.every((one) => one === "noeviction")
      ? ok("Redis eviction", "noeviction")
      : failed("Redis eviction", unique(policies), "Set maxmemory-policy noeviction: messages would be lost"),
    kept.every((one) => one === "1")
      ? ok("Redis persistence", "append-only file")
      : failed("Redis persistence", "no append-only file", "Set appendonly yes: a restart loses everything"),
  ];
}

async function checkClock({ store }: RedisLink): Promise<Finding> {
  const skewMs = Math.round(await compareClocks(store.redis));
  return Math.abs(skewMs) <= CLOCK_SKEW_MS_MAX
    ? ok("clocks", `${skewMs} ms apart`)
    : failed("clocks", `${skewMs} ms apart`, "Synchronise them (NTP): services do not start");
}

function isOnLoopback({ address: { nodes } }: RedisLink): boolean {
  return nodes.every(
    ({ host }) => host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127.")),
  );
}

function unique(values: readonly string[]): string {
  return [...new Set(values)].join(", ");
}
