import { randomHex } from "#shared/clock";
import { accessRules } from "#shared/store";
import type { AccessRule } from "#shared/store";
import { accessAgentsOf } from "../../keys/write-redis-acl.ts";
import { failed, ok, open, unlessIsolated } from "../finding.ts";
import type { Finding } from "../finding.ts";
import type { Subject } from "../subject.ts";
import type { RedisLink } from "./redis-link.ts";

const PROBE_BYTES = 8;
const DENIED = /^NOPERM/;

/** Checks what the current Redis user may do, and all users where it may list them. */
export async function checkRedisUsers(
  link: RedisLink,
  { profile, teams, config }: Subject,
): Promise<Finding[]> {
  const user = await userOf(link);
  const rules = accessRules(config.prefix, accessAgentsOf(teams), profile);
  return [
    user === "default"
      ? unlessIsolated(profile, {
          check: "Redis user",
          seen: "default: all services are one",
          todo: "suture redis-acl, and give each service its own REDIS_URL",
        })
      : ok("Redis user", user),
    await checkForeignKeys(link),
    await checkDangerous(link),
    ...(await checkRules(link, rules, profile)),
  ];
}

async function userOf({ ask, address }: RedisLink): Promise<string> {
  const [answer = ""] = await ask("ACL", "WHOAMI");
  return DENIED.test(answer) ? (address.username ?? "default") : answer;
}

/** Reads a key outside of every service's key space. */
async function checkForeignKeys({ ask }: RedisLink): Promise<Finding> {
  const check = "Redis keys of others";
  const [answer = ""] = await ask("GET", `suture-doctor-${randomHex(PROBE_BYTES)}`);
  return DENIED.test(answer)
    ? ok(check, "refused")
    : open(check, "may be read and written", "suture redis-acl, and load users.acl");
}

async function checkDangerous({ ask }: RedisLink): Promise<Finding> {
  const check = "Redis commands";
  const [answer = ""] = await ask("CONFIG", "GET", "suture-doctor");
  return DENIED.test(answer)
    ? ok(check, "CONFIG is refused")
    : open(check, "CONFIG is allowed, and so is all else", "suture redis-acl, and load users.acl");
}

/** Compares the users of Redis with those that the loaded teams need. */
async function checkRules(
  { ask }: RedisLink,
  rules: readonly AccessRule[],
  profile: Subject["profile"],
): Promise<Finding[]> {
  const [answer = ""] = await ask("ACL", "LIST");
  // Only an administrator of Redis may list them; services should not.
  if (DENIED.test(answer) || !answer.startsWith("[")) return [];
  const lines = (JSON.parse(answer) as string[]).map((line) => line.split(" "));
  const wordsOf = (user: string): string[] | undefined => lines.find(([, name]) => name === user);
  const absent = rules.filter(({ user }) => wordsOf(user) === undefined);
  if (absent.length === rules.length && profile === "shared") return [];
  const findings = [
    absent.length === 0
      ? ok("Redis users", `all ${rules.length} are there`)
      : failed("Redis users", `absent: ${namesOf(absent)}`, "suture redis-acl, and ACL LOAD"),
  ];
  const daring = await Promise.all(rules.map(async ({ user }) => mayDoHarm({ ask }, user)));
  const wider = rules.filter((rule, index) => isWider(wordsOf(rule.user), rule) || daring[index] === true);
  return [
    ...findings,
    wider.length === 0
      ? ok("Redis rules", "no user may use more keys, channels or commands than its service needs")
      : failed("Redis rules", `wider than needed: ${namesOf(wider)}`, "suture redis-acl, and ACL LOAD"),
  ];
}

/** Keys, channels and selectors that the rule does not have, or a user who needs no password. */
function isWider(words: readonly string[] | undefined, { keys, readKeys, channels }: AccessRule): boolean {
  const allowed = new Set([
    ...keys.map((key) => `~${key}`),
    ...readKeys.map((key) => `%R~${key}`),
    ...channels.map((channel) => `&${channel}`),
  ]);
  return (words ?? []).some((word) => /^(?:[~%&(]|nopass$)/.test(word) && !allowed.has(word));
}

/** Commands that no rule has, each with what Redis needs to judge it. */
const HARMFUL: readonly (readonly [string, ...string[]])[] = [
  ["FLUSHALL"],
  ["KEYS", "*"],
  ["CONFIG", "GET", "x"],
  ["ACL", "LIST"],
  ["FUNCTION", "FLUSH"],
  ["MONITOR"],
  ["SHUTDOWN"],
  ["EVAL", "return 1", "0"],
  ["CLIENT", "TRACKING", "ON", "BCAST"],
  ["SCAN", "0"],
];

/** Asks Redis with a dry run whether a user may run a harmful command. */
async function mayDoHarm({ ask }: Pick<RedisLink, "ask">, user: string): Promise<boolean> {
  const answers = await Promise.all(HARMFUL.map((command) => ask("ACL", "DRYRUN", user, ...command)));
  return answers.flat().includes("OK");
}

function namesOf(rules: readonly AccessRule[]): string {
  return rules.map(({ user }) => user).join(", ");
}
