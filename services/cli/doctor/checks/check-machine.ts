import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { keyFile } from "../../launcher/places.ts";
import { readSecret } from "../../launcher/secret-file.ts";
import { needsSecret } from "../../service-table.ts";
import type { ServiceName } from "../../service-table.ts";
import { ok, open, unlessFound } from "../finding.ts";
import type { Finding, Subject } from "../finding.ts";
import { fileOfVariable, readVariable } from "../service-processes.ts";
import type { ServiceProcess } from "../service-processes.ts";

/** Variables that hold secrets and that only some services need. */
const SECRETS = ["OPENAI_API_KEY", "SUTURE_API_KEYS", "SUTURE_WEBHOOKS"] as const;
/** Variables of others that by their names hold secrets. */
const FOREIGN = /(?:SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|PRIVATE_KEY|API_KEY|ACCESS_KEY)/;

/** Checks key files, and what the running services were given, listen on and run as. */
export function checkMachine(subject: Subject): readonly Finding[] {
  const { processes, config } = subject;
  const files = [keyFiles(join(config.dataDir, "keys")), masterKey(subject)];
  const check = "running services";
  if (processes === null)
    return [...files, open(check, "this system does not show processes", "Look on Linux")];
  if (processes.length === 0)
    return [...files, ok(check, "none of this data folder that this user may look into")];
  return [
    ...files,
    ok(check, processes.map(({ service, pid }) => `${service} ${pid}`).join(", ")),
    ...(processes.length > 1 ? [sharedUser(processes)] : []),
    ...ofEnvironments(processes, config.dataDir),
  ];
}

function keyFiles(keys: string): Finding {
  const check = "key files";
  if (!existsSync(keys)) return ok(check, `there are none in ${keys}`);
  const isLoose = (file: string): boolean => (statSync(join(keys, file)).mode & 0o077) !== 0;
  return unlessFound(check, [".", ...readdirSync(keys)].filter(isLoose), {
    none: `${keys}: its owner alone`,
    some: `open to others in ${keys}: `,
    todo: `chmod -R go= ${keys}, and rotate the keys`,
  });
}

function masterKey({ config, processes }: Subject): Finding {
  const master = keyFile.master(config.dataDir);
  const check = "master key";
  if (!existsSync(master)) return ok(check, "not in this data folder");
  const owner = statSync(master).uid;
  const readers = (processes ?? []).filter(({ uid }) => uid === owner || uid === 0);
  if (readers.length === 0) return ok(check, `read by user ${owner}, under whom no service was seen`);
  const names = [...new Set(readers.map(({ service }) => service))].toSorted().join(", ");
  return open(
    check,
    `services of the same user could read it: ${names}`,
    "Issue keys under another user, as docker-compose.yml does",
  );
}

function sharedUser(processes: readonly ServiceProcess[]): Finding {
  const check = "users of services";
  const users = new Set(processes.map(({ uid }) => uid)).size;
  if (users === processes.length) return ok(check, "each service runs as its own");
  return open(
    check,
    `${processes.length} processes run as ${users === 1 ? "one user" : `${users} users`}`,
    "Give each its own user or container, as docker-compose.yml does",
  );
}

/** What services were given. */
function ofEnvironments(processes: readonly ServiceProcess[], dataDir: string): Finding[] {
  const master = (readSecret(keyFile.master(dataDir)) ?? "").trim();
  const variables = (isFound: (one: ServiceProcess, name: string) => boolean): string[] =>
    processes.flatMap((one) =>
      Object.keys(one.env)
        .filter((name) => isFound(one, name))
        .map((name) => `${name} of ${nameOf(one)}`),
    );
  return [
    unlessFound("secrets of others", variables(isForeign), {
      none: "no environment holds one that its service has no use for",
      todo: "Start services with their own variables alone",
    }),
    unlessFound(
      "master in services",
      variables((one, name) => master !== "" && readVariable(one, name).includes(master)),
      {
        none: "no service was given it",
        some: "given as ",
        todo: "Take it away, make a new one, and issue all keys anew: whoever has it forges every agent",
      },
    ),
    unlessFound(
      "secrets of services",
      variables((one, name) => (modeOf(one, name) & 0o004) !== 0),
      {
        none: "no file is readable to all",
        some: "readable to all: ",
        todo: "chmod o= the file, and change what is in it",
      },
    ),
  ];
}

/** Returns true for a secret that none of a process's services has a use for. */
function isForeign({ services, env }: ServiceProcess, name: string): boolean {
  return env[name] !== "" && !services.some((one) => isUser(one, name));
}

function isUser(service: ServiceName, name: string): boolean {
  const secret = SECRETS.find((one) => one === name);
  if (secret !== undefined) return needsSecret(service, secret);
  return !FOREIGN.test(name) || name.startsWith("SUTURE_");
}

/** Returns the agents named on a process's command line. */
function agentsOf({ commandLine }: ServiceProcess): string[] {
  const script = commandLine.findIndex((word) => /main\.[jt]s$/.test(word));
  return commandLine.slice(script + 1).filter((word) => word !== "" && !word.startsWith("--"));
}

function nameOf(one: ServiceProcess): string {
  return one.services.includes("agents") ? `agents ${agentsOf(one).join(" ")}` : one.service;
}

/** Returns the mode of the file that a variable names; 0 for none that this user may look at. */
function modeOf(one: ServiceProcess, name: string): number {
  const file = fileOfVariable(one, name);
  try {
    return file === null ? 0 : statSync(file).mode;
  } catch {
    // Not there, or behind a folder that this user may not enter.
    return 0;
  }
}
