import { isIP } from "node:net";
import { randomHex } from "#shared/clock";
import { parseRedisUrl } from "#shared/config";
import type { Config, RedisAddress, Secret } from "#shared/config";
import { accessRules, mastersOf, REDIS_USERS, Store, storeSettings, waitUntilReady } from "#shared/store";
import type { AccessRule } from "#shared/store";
import { failed, ok, open, unlessFound } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** An examination of Redis. */
export interface Checkup {
  /** Redis is asked at this address, as its user. */
  readonly config: Config;
  /** Users as which running services log in. Empty: none is known. */
  readonly logins: readonly string[];
  /** Sends one command without a login; returns the first line of the answer. Null: this is not tried. */
  readonly askUnnamed: ((node: Node, command: string) => Promise<string>) | null;
  /** The private Redis by its owner, who may list its users. Null: there is none. */
  readonly ownerUrl: Secret | null;
}

interface Node {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

const READY_MS = 5000;
const ANSWER_MS = 3000;
const USE_ACL = "Give each role its own login: suture redis-acl, load users.acl, and set SUTURE_REDIS_USERS";
const RELOAD = "suture redis-acl, and ACL LOAD";
const DENIED = /^NOPERM/;

const NOT_TOLD = "not told";

const isNew = (version: string): boolean => Number.parseInt(version, 10) >= 7;
const isKept = (kept: string): boolean => kept === "1";
/** Redis has a line for each error that it gave since its start, and none for others. */
const hasNotFailed = (count: string): boolean => count === NOT_TOLD;

/** Checks of `INFO`: name, field, good values, the state of others, and the remedy. */
const SERVER = [
  ["Redis version", "redis_version", isNew, "open", "Use 7 or newer for users that only read some keys"],
  ["Redis persistence", "aof_enabled", isKept, "failed", "Set appendonly yes: a restart loses everything"],
  [
    "Redis disk",
    "errorstat_MISCONF",
    hasNotFailed,
    "open",
    "It could not write to its disk. Once it can: BGREWRITEAOF before it is restarted, then CONFIG RESETSTAT",
  ],
] as const;

/** Commands that no rule has, each with what Redis needs to judge it. */
const HARMFUL = (
  "FLUSHALL|KEYS *|CONFIG GET x|ACL LIST|FUNCTION FLUSH|MONITOR|SHUTDOWN|EVAL return 0|" +
  "CLIENT TRACKING ON BCAST|SCAN 0"
).split("|");

/** Checks each Redis: authentication, TLS, persistence and users. */
export async function checkRedis(checkup: Checkup): Promise<Finding[]> {
  const { redisUrls: urls } = checkup.config;
  if (urls.length <= 1) return checkShard(checkup);
  const shards = urls.map((redisUrl) => ({ ...checkup.config, redisUrl, redisUrls: [] }));
  const findings = await Promise.all(shards.map((config) => checkShard({ ...checkup, config })));
  return findings.flatMap((found, shard) =>
    found.map((one) => ({ ...one, check: `${one.check}, shard ${shard}` })),
  );
}

async function checkShard(checkup: Checkup): Promise<Finding[]> {
  const { config, logins, askUnnamed } = checkup;
  const link = openRedisLink(config);
  if (link === null)
    return [failed("Redis", "no address is known", "Set REDIS_URL, or start the services first")];
  try {
    await waitUntilReady(link.store.redis, READY_MS);
    const rules = await lookAtRules(link, checkup);
    return [
      ok("Redis", `answers, ${link.address.kind}`),
      ...(askUnnamed === null ? [] : [await checkPassword(link, askUnnamed)]),
      checkTls(link),
      ...(await checkServer(link)),
      ...(await checkUser(link, logins, rules.length > 0)),
      ...rules,
    ];
  } catch {
    return [
      failed("Redis", "does not answer, or refuses user and password", "Look at REDIS_URL and its log"),
    ];
  } finally {
    await link.store.close();
  }
}

async function checkPassword(
  link: RedisLink,
  askUnnamed: NonNullable<Checkup["askUnnamed"]>,
): Promise<Finding> {
  const check = "Redis password";
  const { nodes, isTls } = link.address;
  const [node = { host: "127.0.0.1", port: 6379 }] = nodes;
  const answer = await askUnnamed({ ...node, isTls }, "GET suture-doctor");
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

function isOnLoopback({ address: { nodes } }: RedisLink): boolean {
  return nodes.every(
    ({ host }) => host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127.")),
  );
}

async function checkServer(link: RedisLink): Promise<Finding[]> {
  const infos = await link.ask("INFO");
  return SERVER.map(([check, field, isGood, otherwise, todo]) => {
    const values = infos.map((info) => new RegExp(`^${field}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? NOT_TOLD);
    const seen = `${field} ${[...new Set(values)].join(", ")}`;
    return values.every(isGood) ? ok(check, seen) : { check, seen, todo, state: otherwise };
  });
}

/** Checks what the current Redis user may do, and which users the services are. */
async function checkUser({ ask, address }: RedisLink, logins: readonly string[], hasRoles: boolean) {
  const [named = ""] = await ask("ACL", "WHOAMI");
  const user = DENIED.test(named) ? (address.username ?? "default") : named;
  const strangers = (logins.length === 0 ? [user] : logins).filter((login) => !isRole(login));
  const unlessDenied = async (check: string, seen: string, ...command: [string, ...string[]]) =>
    DENIED.test((await ask(...command))[0] ?? "") ? ok(check, "refused") : open(check, seen, USE_ACL);
  return [
    // One that may list the users looks for an operator; the services have others.
    strangers.length > 0 && (logins.length > 0 || !hasRoles)
      ? open("Redis user", `${strangers.join(", ")}: one trust domain that includes the ward`, USE_ACL)
      : ok("Redis user", logins.length === 0 ? user : `services are ${logins.toSorted().join(", ")}`),
    await unlessDenied("Redis keys of others", "may be read and written", "GET", `not-ours-${randomHex(8)}`),
    await unlessDenied("Redis commands", "CONFIG is allowed, and so is all else", "CONFIG", "GET", "x"),
  ];
}

function isRole(login: string): boolean {
  return REDIS_USERS.some((role) => role === login);
}

/** Compares the users of Redis, where they may be listed, with those that a Redis should have. */
async function checkRules(ask: RedisLink["ask"], { config }: Checkup): Promise<Finding[]> {
  const rules = accessRules(config.prefix);
  const [answer = ""] = await ask("ACL", "LIST");
  // Only an administrator of Redis may list them; services should not.
  if (!answer.startsWith("[")) return [];
  const lines = JSON.parse(answer) as string[];
  const lineOf = ({ user }: AccessRule) => lines.find((line) => line.startsWith(`user ${user} `));
  const absent = rules.filter((rule) => lineOf(rule) === undefined);
  if (absent.length === rules.length) return [];
  const tryHarm = ({ user }: AccessRule) =>
    Promise.all(HARMFUL.map((command) => ask("ACL", "DRYRUN", user, ...command.split(" "))));
  const tried = await Promise.all(rules.map(tryHarm));
  const wider = rules.filter(
    (rule, index) => isWider(lineOf(rule) ?? "", rule) || tried[index]?.flat().includes("OK"),
  );
  const poor = rules.filter((rule) => isNarrower(lineOf(rule) ?? "", rule));
  // As files of users had it up to 0.3: what scripts wrote is not loaded at the next start.
  const lossy = lines.filter((line) => line.startsWith("user default off") && !line.includes("+@all"));
  const namesOf = (some: readonly AccessRule[]) => some.map(({ user }) => user);
  const narrow = "no role may use more keys, channels or commands than it needs";
  return [
    unlessFound("Redis users", namesOf(absent), `all ${rules.length} are there`, "absent: ", RELOAD),
    unlessFound("Redis rules", namesOf(wider), narrow, "wider than needed: ", RELOAD),
    unlessFound(
      "Redis rights",
      namesOf(poor),
      "each role has the keys and scripts of this release",
      "without keys or scripts of this release: ",
      RELOAD,
    ),
    unlessFound(
      "Redis restart",
      lossy,
      "loads all that was written",
      "would not load transactions: ",
      RELOAD,
    ),
  ];
}

/** Looks at the rules of the private Redis as its owner, and at those of any other as the user of the link. */
async function lookAtRules(link: RedisLink, checkup: Checkup): Promise<Finding[]> {
  const { config, ownerUrl: redisUrl } = checkup;
  const owner = redisUrl === null ? null : openRedisLink({ ...config, redisUrl });
  if (owner === null) return checkRules(link.ask, checkup);
  try {
    const { socket, nodes } = owner.address;
    const isThere = socket === link.address.socket && nodes[0]?.port === link.address.nodes[0]?.port;
    if (isThere) await waitUntilReady(owner.store.redis, READY_MS);
    return await checkRules(isThere ? owner.ask : link.ask, checkup);
  } finally {
    await owner.store.close();
  }
}

/** Returns true where a user lacks keys or scripts of this release. Redis lists other commands by their categories. */
function isNarrower(line: string, { keys, readKeys, commands }: AccessRule): boolean {
  const own = new Set(line.replace(/\([^)]*\)/g, "").split(" "));
  const scripts = commands.filter((word) => word.startsWith("+evalsha|"));
  return (
    [...keys.map((key) => `~${key}`), ...scripts].some((word) => !own.has(word)) ||
    readKeys.some((key) => !own.has(`%R~${key}`) && !own.has(`~${key}`))
  );
}

/** Keys, channels and selectors that the rule does not have, or a user who needs no password. */
function isWider(line: string, { keys, readKeys, channels, selectors = [] }: AccessRule): boolean {
  const patterns = [keys.map((key) => `~${key}`), readKeys.map((key) => `%R~${key}`)];
  const allowed = new Set([...patterns.flat(), ...channels.map((channel) => `&${channel}`)]);
  const own = line.replace(/\([^)]*\)/g, "").split(" ");
  // Redis lists a selector's words in an order of its own.
  const given = selectors.map((one) => new Set([...one.split(" "), "resetchannels"]));
  const isGiven = (text: string) => given.some((one) => text.split(" ").every((word) => one.has(word)));
  return (
    own.some((word) => /^(?:[~%&]|nopass$)/.test(word) && !allowed.has(word)) ||
    [...line.matchAll(/\(([^)]*)\)/g)].some(([, text = ""]) => !isGiven(text))
  );
}

/** A connection to the Redis of the services, as the user that they or this command were given. */
interface RedisLink {
  readonly address: RedisAddress;
  readonly store: Store;
  /** Asks each master. The answer of one that refuses is its error's text, which begins as Redis' code. */
  readonly ask: (...command: [string, ...string[]]) => Promise<string[]>;
}

/** Returns the way to Redis; null where no address is known. */
function openRedisLink(config: Config): RedisLink | null {
  const parsed = config.redisUrl === null ? null : parseRedisUrl(config.redisUrl.reveal());
  if (config.redisUrl === null || parsed === null || "problem" in parsed) return null;
  const settings = {
    ...storeSettings(config, config.redisUrl),
    role: "producer",
    answerMs: ANSWER_MS,
  } as const;
  const store = new Store({ ...settings, onError: () => undefined });
  return {
    address: parsed.address,
    store,
    ask: (...command) => Promise.all(mastersOf(store.redis).map((node) => answerOf(node, command))),
  };
}

async function answerOf(
  redis: ReturnType<typeof mastersOf>[number],
  [name, ...args]: readonly [string, ...string[]],
): Promise<string> {
  try {
    const answer: unknown = await redis.call(name, ...args);
    return typeof answer === "string" ? answer : JSON.stringify(answer);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
