import { isIP } from "node:net";
import { CLOCK_SKEW_MS_MAX, compareClocks, waitUntilReady } from "#shared/store";
import { failed, ok, open } from "../finding.ts";
import type { Finding, FindingState, Subject } from "../finding.ts";
import { checkRedisUsers, USE_ACL } from "./check-redis-users.ts";
import { askPlainly, openRedisLink } from "./redis-link.ts";
import type { RedisLink } from "./redis-link.ts";

const READY_MS = 5000;

interface ServerRow {
  readonly check: string;
  /** Field of `INFO`. */
  readonly field: string;
  readonly isGood: (value: string) => boolean;
  readonly otherwise: FindingState;
  readonly todo: string;
}

const SERVER: readonly ServerRow[] = [
  {
    check: "Redis version",
    field: "redis_version",
    isGood: (version) => Number.parseInt(version, 10) >= 7,
    otherwise: "open",
    todo: "Use 7 or newer for users that only read some keys",
  },
  {
    check: "Redis eviction",
    field: "maxmemory_policy",
    isGood: (policy) => policy === "noeviction",
    otherwise: "failed",
    todo: "Set maxmemory-policy noeviction: messages would be lost",
  },
  {
    check: "Redis persistence",
    field: "aof_enabled",
    isGood: (kept) => kept === "1",
    otherwise: "failed",
    todo: "Set appendonly yes: a restart loses everything",
  },
];

/** Checks Redis: authentication, TLS, persistence, clock and users. */
export async function checkRedis(subject: Subject): Promise<readonly Finding[]> {
  const link = openRedisLink(subject);
  if (link === null)
    return [failed("Redis", "no address is known", "Set REDIS_URL, or start the services first")];
  try {
    await waitUntilReady(link.store.redis, READY_MS);
    return [
      ok("Redis", `answers, ${link.address.kind}`),
      await checkPassword(link),
      checkTls(link),
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

async function checkPassword(link: RedisLink): Promise<Finding> {
  const check = "Redis password";
  const { nodes, isTls } = link.address;
  const [node = { host: "127.0.0.1", port: 6379 }] = nodes;
  const answer = await askPlainly({ ...node, isTls }, ["GET suture-doctor"]);
  if (/^-(?:NOAUTH|NOPERM|DENIED)/.test(answer)) return ok(check, "nobody is let in without one");
  // Redis answers with a nil value or an error.
  if (!/^[$-]/.test(answer)) return ok(check, `who was given nothing hears: ${answer}`);
  return isOnLoopback(link)
    ? open(check, "any process of this machine is let in without one", USE_ACL)
    : failed(check, "whoever reaches it is let in without one", USE_ACL);
}

function checkTls(link: RedisLink): Finding {
  const check = "Redis transport";
  if (link.address.isTls) return ok(check, "TLS, with a verified certificate");
  if (isOnLoopback(link)) return ok(check, "this machine alone");
  return open(check, "in the clear on its network", "Use rediss://, or a network that nobody else is on");
}

async function checkServer(link: RedisLink): Promise<Finding[]> {
  const infos = await link.ask("INFO");
  return SERVER.map(({ check, field, isGood, otherwise, todo }) => {
    const values = infos.map((info) => new RegExp(`^${field}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? "not told");
    const seen = `${field} ${[...new Set(values)].join(", ")}`;
    return values.every(isGood) ? ok(check, seen) : { check, seen, todo, state: otherwise };
  });
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
