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
import { readSecret, writeSecret } from "../launcher/secret-file.ts";
import { write } from "../print/print-answer.ts";

const PASSWORD_BYTES = 24;

const passwordsSchema = z.record(z.string(), z.string());

/** Every agent of the teams with whom it hands work to. An agent of two teams has the receivers of both. */
export function accessAgentsOf(teams: readonly Team[]): AccessAgent[] {
  const names = [...new Set(teams.flatMap((team) => [...team.agents.keys()]))].toSorted();
  const edges = teams.flatMap((team) => team.edges);
  const joining = new Set(
    teams
      .flatMap((team) => [...team.agents.values()].filter(({ options }) => options.collects !== undefined))
      .map(({ name }) => name),
  );
  return names.map((name) => {
    const own = edges.filter(({ from, to }) => from === name && names.includes(to));
    const unique = (some: typeof own): string[] => [...new Set(some.map(({ to }) => to))].toSorted();
    // A join starts the branches that its coordinators have sealed: it puts them into their receivers' queues.
    const coordinators = joining.has(name)
      ? new Set(edges.filter(({ to }) => to === name).map(({ from }) => from))
      : null;
    const started = edges.filter(({ from, to }) => coordinators?.has(from) === true && names.includes(to));
    const waiting = started.filter(({ acknowledgeWithinMs }) => acknowledgeWithinMs !== null);
    return {
      name,
      receivers: unique([...own, ...started]),
      joins: unique(own.filter(({ to }) => joining.has(to))),
      waitsFor: [...new Set(waiting.map(({ from }) => from))].toSorted(),
      awaited: unique(own.filter(({ acknowledgeWithinMs }) => acknowledgeWithinMs !== null)),
    };
  });
}

/** Writes `users.acl` for Redis and `passwords.json` for the launcher; existing passwords stay. */
export async function writeRedisAcl({ out }: { readonly out: string }): Promise<void> {
  const config = loadConfig();
  const teams = await loadTeams(config.teamsDir);
  const rules = accessRules(config.prefix, accessAgentsOf(teams));
  mkdirSync(out, { recursive: true, mode: 0o700 });
  const file = join(out, "passwords.json");
  const known = passwordsSchema.parse(JSON.parse(readSecret(file) ?? "{}"));
  const passwords = Object.fromEntries(
    rules.map(({ user }) => [user, known[user] ?? randomHex(PASSWORD_BYTES)]),
  );
  // Scripts of the release before stay admitted, so that both can work during an upgrade.
  const aclFile = join(out, "users.acl");
  const scripts: readonly string[] = readSecret(aclFile)?.match(/\+evalsha\|[0-9a-f]{40}/g) ?? [];
  const lines = rules.map((rule) => {
    const digest = createHash("sha256")
      .update(passwords[rule.user] ?? "")
      .digest("hex");
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
}
