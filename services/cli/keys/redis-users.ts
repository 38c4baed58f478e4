import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { randomHex } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { Team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { accessRules, formatAclLine } from "#shared/store";
import type { AccessAgent } from "#shared/store";
import { CommandRefusedError } from "../errors.ts";
import { readSecret, writeSecret } from "../launcher/secret-file.ts";
import { write } from "../print/print-answer.ts";

const PASSWORD_BYTES = 24;

const passwordsSchema = z.record(z.string(), z.string().min(1));

/** Passwords of Redis' users by name, as `suture redis-acl` writes them. */
export type RedisPasswords = Readonly<Record<string, string>>;

/** Reads a file of passwords; null where there is none. @throws {CommandRefusedError} It is no such file. */
export function readRedisPasswords(file: string): RedisPasswords | null {
  const parsed = passwordsSchema.nullable().safeParse(JSON.parse(readSecret(file) ?? "null"));
  if (parsed.success) return parsed.data;
  throw new CommandRefusedError(
    `${file} is not a file of passwords by user.`,
    "Write it anew with `suture redis-acl`.",
  );
}

/** Returns the address of Redis with the login of one user. @throws {CommandRefusedError} There is no such user. */
export function urlWithLogin(url: string, user: string, passwords: RedisPasswords): string {
  const password = passwords[user];
  if (password === undefined)
    throw new CommandRefusedError(
      `SUTURE_REDIS_USERS has no user ${user}.`,
      "Run `suture redis-acl` again, as after every change of teams, and load its users into Redis.",
    );
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return url.replace(/^([a-z-]+:\/\/)(?:[^@/]*@)?/, `$1${login}`);
}

/** Every agent of the teams with whom it hands work to. An agent of two teams has the receivers of both. */
export function accessAgentsOf(teams: readonly Team[]): AccessAgent[] {
  const names = [...new Set(teams.flatMap((team) => [...team.agents.keys()]))].toSorted();
  const edges = teams.flatMap((team) => team.edges).filter(({ to }) => names.includes(to));
  const agents = teams.flatMap((team) => [...team.agents.values()]);
  const joining = new Set(agents.flatMap((one) => (one.options.collects === undefined ? [] : [one.name])));
  const unique = (some: readonly string[]): string[] => [...new Set(some)].toSorted();
  return names.map((name) => {
    const own = edges.filter(({ from }) => from === name);
    // A join starts the branches that its coordinators have sealed: it puts them into their receivers' queues.
    const coordinators = joining.has(name)
      ? edges.filter(({ to }) => to === name).map(({ from }) => from)
      : [];
    const started = edges.filter(({ from }) => coordinators.includes(from));
    return {
      name,
      receivers: unique([...own, ...started].map(({ to }) => to)),
      joins: unique(own.map(({ to }) => to).filter((to) => joining.has(to))),
    };
  });
}

/** Writes `users.acl` for Redis and `passwords.json` for the launcher; existing passwords stay. */
export async function writeRedisAcl({ out }: { readonly out: string }): Promise<RedisPasswords> {
  const config = loadConfig();
  const rules = accessRules(config.prefix, accessAgentsOf(await loadTeams(config.teamsDir)));
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const file = join(out, "passwords.json");
  const known = readRedisPasswords(file) ?? {};
  const passwords = Object.fromEntries(
    rules.map(({ user }) => [user, known[user] ?? randomHex(PASSWORD_BYTES)]),
  );
  // Scripts of the release before stay admitted, so that both can work during an upgrade.
  const aclFile = join(out, "users.acl");
  const scripts: readonly string[] = readSecret(aclFile)?.match(/\+evalsha\|[0-9a-f]{40}/g) ?? [];
  const lines = rules.map((rule) => {
    const password = passwords[rule.user] ?? "";
    const digest = createHash("sha256").update(password).digest("hex");
    const runsScripts = rule.commands.some((command) => command.startsWith("+evalsha|"));
    const commands = [...new Set([...rule.commands, ...(runsScripts ? scripts : [])])];
    return formatAclLine({ ...rule, commands }, digest);
  });
  writeSecret(file, `${JSON.stringify(passwords, null, 2)}\n`);
  // Digests alone: the file gives no login. The default user is off, so that every client has a name.
  writeSecret(aclFile, `${["user default off", ...lines].join("\n")}\n`);
  write(`Users of Redis are in ${aclFile}: start it with aclfile, or run ACL LOAD.`);
  write(
    `Their passwords are in ${file}: REDIS_URL=redis://USER:PASSWORD@host:port, one user for each service.`,
  );
  return passwords;
}
