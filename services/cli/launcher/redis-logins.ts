import { z } from "zod";
import type { Config } from "#shared/config";
import { CommandRefusedError } from "../errors.ts";
import { readSecret } from "./secret-file.ts";

const passwordsSchema = z.record(z.string(), z.string().min(1));

/** Passwords of Redis' users by name, as `suture redis-acl` wrote them. */
export type RedisLogins = Readonly<Record<string, string>>;

/**
 * Reads the logins that each service of an isolated deployment gets one of.
 *
 * @returns Null in the profile `shared`, where all use the address as it is.
 * @throws {CommandRefusedError} The profile is `isolated`, and there are no users that could hold it.
 */
export function readRedisLogins(
  config: Pick<Config, "trust" | "redisUrl" | "redisUsersFile">,
): RedisLogins | null {
  if (config.trust === "shared") return null;
  const { redisUrl, redisUsersFile } = config;
  if (redisUrl === null || redisUsersFile === null) {
    throw new CommandRefusedError(
      "SUTURE_TRUST=isolated needs a Redis with a user for each service: REDIS_URL and SUTURE_REDIS_USERS are not both set.",
      "Run `suture redis-acl --trust isolated --out acl`, start Redis with its users.acl, and set SUTURE_REDIS_USERS=@acl/passwords.json.",
    );
  }
  const parsed = passwordsSchema.safeParse(JSON.parse(readSecret(redisUsersFile) ?? "null"));
  if (parsed.success) return parsed.data;
  throw new CommandRefusedError(
    `${redisUsersFile} is not a file of passwords by user.`,
    "Write it anew with `suture redis-acl --trust isolated`.",
  );
}

/**
 * Returns the address of Redis with the login of one user.
 *
 * @throws {CommandRefusedError} There is no such user.
 */
export function urlWithLogin(url: string, user: string, logins: RedisLogins): string {
  const password = logins[user];
  if (password === undefined) {
    throw new CommandRefusedError(
      `SUTURE_REDIS_USERS has no user ${user}.`,
      "Run `suture redis-acl --trust isolated` again, as after every change of teams, and load its users into Redis.",
    );
  }
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return url.replace(/^([a-z-]+:\/\/)(?:[^@/]*@)?/, `$1${login}`);
}
