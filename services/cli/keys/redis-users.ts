import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { randomHex } from "#shared/clock";
import { loadConfig } from "#shared/config";
import { readJson } from "#shared/json";
import { accessRules, formatAclLine, REDIS_USERS } from "#shared/store";
import type { RedisUser } from "#shared/store";
import { CommandRefusedError } from "../errors.ts";
import { keepSecret, readSecret, writeSecret } from "../launcher/key-files.ts";
import { write } from "../print/print-answer.ts";

const PASSWORD_BYTES = 24;

const password = z.string().min(1);
/** Names of earlier releases, one for each agent, are left out. */
const passwordsSchema = z.object({
  agent: password,
  gateway: password,
  surgeon: password,
  console: password,
  readonly: password,
});

/** Passwords of Redis' users. */
export type RedisPasswords = Readonly<Record<RedisUser, string>>;

/** Reads passwords by user, as `suture redis-acl` writes them. @throws {CommandRefusedError} It is no such file. */
export function readRedisPasswords(file: string): RedisPasswords {
  const parsed = passwordsSchema.safeParse(readJson(readSecret(file) ?? ""));
  if (parsed.success) return parsed.data;
  throw new CommandRefusedError(
    `${file} does not have a password for each of ${REDIS_USERS.join(", ")}.`,
    "Run `suture redis-acl`, as after every upgrade, and load its users into Redis.",
  );
}

/** Reads a file of passwords, and makes it or what it lacks; existing passwords stay. */
export function keepRedisPasswords(file: string): RedisPasswords {
  const made = Object.fromEntries(REDIS_USERS.map((user) => [user, randomHex(PASSWORD_BYTES)]));
  const kept = keepSecret(file, () => JSON.stringify(made, null, 2));
  const all = { ...made, ...passwordsSchema.partial().safeParse(readJson(kept)).data };
  if (!passwordsSchema.safeParse(readJson(kept)).success) writeSecret(file, JSON.stringify(all, null, 2));
  return passwordsSchema.parse(all);
}

/** Returns the address of Redis with the login of one user. */
export function urlWithLogin(url: string, user: RedisUser, passwords: RedisPasswords): string {
  const login = `${user}:${encodeURIComponent(passwords[user])}@`;
  return url.replace(/^([a-z+-]+:\/\/)(?:[^@/]*@)?/, `$1${login}`);
}

/**
 * Off, so that every client has a name. It has all rights nevertheless: Redis holds the transactions of its append-only
 * file, which is what scripts write, against them when it starts, and would load none.
 */
const DEFAULT_USER = "user default off resetpass ~* &* +@all";

/** Returns the users as lines of an ACL file, by digests. @param scripts - Another release's, kept. Default: none. */
export function redisUserLines(
  prefix: string,
  passwords: RedisPasswords,
  scripts: readonly string[] = [],
): readonly string[] {
  const lines = accessRules(prefix).map((rule) => {
    const digest = createHash("sha256").update(passwords[rule.user]).digest("hex");
    const runsScripts = rule.commands.some((command) => command.startsWith("+evalsha|"));
    const commands = [...new Set([...rule.commands, ...(runsScripts ? scripts : [])])];
    return formatAclLine({ ...rule, commands }, digest);
  });
  return [DEFAULT_USER, ...lines];
}

/** Writes `users.acl` for Redis and `passwords.json` for the launcher; existing passwords stay. */
export function writeRedisAcl({ out }: { readonly out: string }): RedisPasswords {
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const file = join(out, "passwords.json");
  const passwords = keepRedisPasswords(file);
  // Scripts of the release before stay admitted, so that both can work during an upgrade.
  const aclFile = join(out, "users.acl");
  const scripts: readonly string[] = readSecret(aclFile)?.match(/\+evalsha\|[0-9a-f]{40}/g) ?? [];
  writeSecret(aclFile, `${redisUserLines(loadConfig().prefix, passwords, scripts).join("\n")}\n`);
  write(`Users of Redis are in ${aclFile}: start it with aclfile, or run ACL LOAD.`);
  write(
    `Their passwords are in ${file}: REDIS_URL=redis://USER:PASSWORD@host:port, one user for each kind of process.`,
  );
  return passwords;
}
