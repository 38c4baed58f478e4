import { randomHex } from "#shared/clock";
import { accessRules } from "#shared/store";
import type { AccessRule } from "#shared/store";
import { accessAgentsOf } from "../../keys/write-redis-acl.ts";
import { ok, open, unlessFound } from "../finding.ts";
import type { Finding, Subject } from "../finding.ts";
import type { RedisLink } from "./redis-link.ts";

export const USE_ACL = "suture redis-acl, and load users.acl";
const RELOAD = "suture redis-acl, and ACL LOAD";
const DENIED = /^NOPERM/;

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

/** Checks what the current Redis user may do, and all users where it may list them. */
export async function checkRedisUsers(link: RedisLink, { teams, config }: Subject): Promise<Finding[]> {
  const rules = accessRules(config.prefix, accessAgentsOf(teams));
  const [named = ""] = await link.ask("ACL", "WHOAMI");
  const user = DENIED.test(named) ? (link.address.username ?? "default") : named;
  const unlessDenied = async (check: string, seen: string, ...command: [string, ...string[]]) => {
    const [answer = ""] = await link.ask(...command);
    return DENIED.test(answer) ? ok(check, "refused") : open(check, seen, USE_ACL);
  };
  return [
    user === "default"
      ? open(
          "Redis user",
          "default: all services are one",
          "suture redis-acl, and give each service its own REDIS_URL",
        )
      : ok("Redis user", user),
    // A key outside of every service's key space.
    await unlessDenied(
      "Redis keys of others",
      "may be read and written",
      "GET",
      `suture-doctor-${randomHex(8)}`,
    ),
    await unlessDenied(
      "Redis commands",
      "CONFIG is allowed, and so is all else",
      "CONFIG",
      "GET",
      "suture-doctor",
    ),
    ...(await checkRules(link, rules)),
  ];
}

/** Compares the users of Redis with those that the loaded teams need. */
async function checkRules({ ask }: RedisLink, rules: readonly AccessRule[]): Promise<Finding[]> {
  const [answer = ""] = await ask("ACL", "LIST");
  // Only an administrator of Redis may list them; services should not.
  if (DENIED.test(answer) || !answer.startsWith("[")) return [];
  const lines = (JSON.parse(answer) as string[]).map((line) => line.split(" "));
  const wordsOf = (user: string): string[] | undefined => lines.find(([, name]) => name === user);
  const absent = rules.filter(({ user }) => wordsOf(user) === undefined);
  if (absent.length === rules.length) return [];
  const harmful = await Promise.all(rules.map(({ user }) => mayDoHarm(ask, user)));
  const wider = rules.filter((rule, index) => isWider(wordsOf(rule.user), rule) || harmful[index] === true);
  return [
    unlessFound("Redis users", namesOf(absent), {
      none: `all ${rules.length} are there`,
      some: "absent: ",
      todo: RELOAD,
    }),
    unlessFound("Redis rules", namesOf(wider), {
      none: "no user may use more keys, channels or commands than its service needs",
      some: "wider than needed: ",
      todo: RELOAD,
    }),
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

/** Asks Redis with a dry run whether a user may run a harmful command. */
async function mayDoHarm(ask: RedisLink["ask"], user: string): Promise<boolean> {
  const answers = await Promise.all(HARMFUL.map((command) => ask("ACL", "DRYRUN", user, ...command)));
  return answers.flat().includes("OK");
}

function namesOf(rules: readonly AccessRule[]): string[] {
  return rules.map(({ user }) => user);
}
