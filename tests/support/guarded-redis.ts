import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { processEnv } from "./process-env.ts";
import { startOwnRedis } from "./redis-servers.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A Redis with the users that the command writes, as an operator makes it. The test itself looks as `default`. */
export async function openGuardedRedis(asked: { readonly prefix: string; readonly teams: string }) {
  const out = temporaryFolder();
  const suture = ["services/cli/main.ts", "redis-acl", "--out", out];
  const env = { ...processEnv(), SUTURE_TEAMS: asked.teams, SUTURE_PREFIX: asked.prefix };
  await promisify(execFile)(process.execPath, suture, { env });
  const passwords = JSON.parse(readFileSync(join(out, "passwords.json"), "utf8")) as Record<string, string>;
  const own = await startOwnRedis();
  for (const line of readFileSync(join(out, "users.acl"), "utf8").trim().split("\n")) {
    const [, user = "", ...rules] = line.split(" ");
    if (user !== "default") await own.redis.call("ACL", "SETUSER", user, "reset", ...rules);
  }
  const urlOf = (user: string): string => own.url.replace("//", `//${user}:${passwords[user] ?? ""}@`);
  return { own, urlOf, users: Object.keys(passwords), passwordsFile: join(out, "passwords.json") };
}
