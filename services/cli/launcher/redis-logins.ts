import { z } from "zod";
import type { Config } from "#shared/config";
import { CommandRefusedError } from "../errors.ts";
import { readSecret } from "./secret-file.ts";

const passwordsSchema = z.record(z.string(), z.string().min(1));

/** Passwords of Redis' users by name, as `suture redis-acl` wrote them. */
export type RedisLogins = Readonly<Record<string, string>>;

/**
 * Reads the logins of Redis of which each service gets one.
 *
 * @returns Null where none are named: all use the address as it is.
 * @throws {CommandRefusedError} The file is none of passwords.
 */
export function readRedisLogins({ redisUsersFile }: Pick<Config, "redisUsersFile">): RedisLogins | null {
  if (redisUsersFile === null) return null;
  const parsed = passwordsSchema.safeParse(JSON.parse(readSecret(redisUsersFile) ?? "null"));
  if (parsed.success) return parsed.data;
  throw new CommandRefusedError(
    `${redisUsersFile} is not a file of passwords by user.`,
    "Write it anew with `suture redis-acl`.",
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
      "Run `suture redis-acl` again, as after every change of teams, and load its users into Redis.",
    );
  }
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return url.replace(/^([a-z-]+:\/\/)(?:[^@/]*@)?/, `$1${login}`);
}
