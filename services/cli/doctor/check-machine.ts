import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { failed, ok, open, unlessFound } from "#shared/doctor";
import type { Finding } from "#shared/doctor";
import { keyFile, readGenerations, readSecret } from "../launcher/key-files.ts";
import { needsSecret } from "../launcher/process-table.ts";
import { fileOfVariable, readVariable } from "./subject.ts";
import type { ServiceProcess, Subject } from "./subject.ts";

/** Variables that hold secrets and that only some services need. */
const SECRETS = ["OPENAI_API_KEY", "SUTURE_API_KEYS", "SUTURE_WEBHOOKS"] as const;
/** Variables of others that by their names hold secrets. */
const FOREIGN = /(?:SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|PRIVATE_KEY|API_KEY|ACCESS_KEY)/;

/** Checks key files, and what the running services were given, sign with, listen on and run as. */
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
    ...ofEdgeKeys(processes, config.dataDir),
  ];
}

function keyFiles(keys: string): Finding {
  const check = "key files";
  if (!existsSync(keys)) return ok(check, `there are none in ${keys}`);
  const isLoose = (file: string): boolean => (statSync(join(keys, file)).mode & 0o077) !== 0;
  const loose = [".", ...readdirSync(keys)].filter(isLoose);
  const todo = `chmod -R go= ${keys}, and rotate the keys`;
  return unlessFound(check, loose, `${keys}: its owner alone`, `open to others in ${keys}: `, todo);
}

function masterKey({ config, processes }: Subject): Finding {
  const master = keyFile.master(config.dataDir);
  const check = "master key";
  if (!existsSync(master)) return ok(check, "not in this data folder");
  const owner = statSync(master).uid;
  const readers = (processes ?? []).filter(({ uid }) => uid === owner || uid === 0);
  if (readers.length === 0) return ok(check, `read by user ${owner}, under whom no service was seen`);
  const names = [...new Set(readers.map(({ service }) => service))].toSorted().join(", ");
  const seen = `services of the same user could read it: ${names}`;
  return open(check, seen, "Issue keys under another user, as docker-compose.yml does");
}

function sharedUser(processes: readonly ServiceProcess[]): Finding {
  const check = "users of services";
  const users = new Set(processes.map(({ uid }) => uid)).size;
  if (users === processes.length) return ok(check, "each service runs as its own");
  const seen = `${processes.length} processes run as ${users === 1 ? "one user" : `${users} users`}`;
  return open(check, seen, "Give each its own user or container, as docker-compose.yml does");
}

/** Checks the environments of services. */
function ofEnvironments(processes: readonly ServiceProcess[], dataDir: string): Finding[] {
  const master = (readSecret(keyFile.master(dataDir)) ?? "").trim();
  const variables = (isFound: (one: ServiceProcess, name: string) => boolean): string[] =>
    processes.flatMap((one) => {
      const agents = one.services.length > 1 ? one.args.slice(1) : one.args;
      const process = one.services.includes("agents") ? `agents ${agents.join(" ")}` : one.service;
      return Object.keys(one.env).flatMap((name) => (isFound(one, name) ? [`${name} of ${process}`] : []));
    });
  const hasMaster = (one: ServiceProcess, name: string): boolean =>
    master !== "" && readVariable(one, name).includes(master);
  const isReadable = (one: ServiceProcess, name: string): boolean =>
    (modeOf(fileOfVariable(one, name)) & 0o004) !== 0;
  const [no, none] = ["no environment holds one that its service has no use for", "no service was given it"];
  const own = "Start services with their own variables alone";
  const forged = "Take it away, make a new one, and issue all keys anew: whoever has it forges every agent";
  const shut = "chmod o= the file, and change what is in it";
  const safe = "no file is readable to all";
  return [
    unlessFound("secrets of others", variables(isForeign), no, "", own),
    unlessFound("master in services", variables(hasMaster), none, "given as ", forged),
    unlessFound("secrets of services", variables(isReadable), safe, "readable to all: ", shut),
  ];
}

/** Returns true for a secret that none of a process's services has a use for. */
function isForeign({ services, env }: ServiceProcess, name: string): boolean {
  const secret = SECRETS.find((one) => one === name);
  if (env[name] === "") return false;
  if (secret !== undefined) return !services.some((service) => needsSecret(service, secret));
  return FOREIGN.test(name) && !name.startsWith("SUTURE_");
}

/** Returns the mode of a file; 0 for none that this user may look at. */
function modeOf(file: string | null): number {
  try {
    return file === null ? 0 : statSync(file).mode;
  } catch {
    // Not there, or behind a folder that this user may not enter.
    return 0;
  }
}

const keySchema = z.looseObject({ key_id: z.string(), from: z.string(), use: z.string() });
const ringSchema = z.looseObject({ keys: z.array(keySchema) });

/** Checks the signers and the key generations of running services. */
function ofEdgeKeys(processes: readonly ServiceProcess[], dataDir: string): Finding[] {
  const held = processes.flatMap((process) => {
    const keys = signingKeysOf(process);
    return keys === null ? [] : [{ process, keys, signers: [...new Set(keys.map(({ from }) => from))] }];
  });
  if (held.length === 0) return [];
  const most = Math.max(...held.map(({ signers }) => signers.length));
  const foreign = held.flatMap(({ process: { services, args, service, pid }, signers }) => {
    const own: readonly string[] = services.includes("agents") ? [...services, ...args] : services;
    return signers.filter((from) => !own.includes(from)).map((from) => `${from} by ${service} ${pid}`);
  });
  const single = "Run one agent in a process: suture work AGENT, or docker-compose.yml";
  const anew = "Give each process its own key file, and rotate the keys";
  const check = "signers of a process";
  const signers =
    most > 1
      ? open(check, `one process signs for up to ${most} agents`, single)
      : foreign.length > 0
        ? open(check, `signed for by another: ${foreign.join(", ")}`, anew)
        : ok(check, "no process signs for two");
  const { signing: wanted } = readGenerations(dataDir);
  const generationOf = ({ key_id }: z.output<typeof keySchema>) => Number(key_id.split("#")[1] ?? 0);
  const newest = new Set(held.map(({ keys }) => Math.max(0, ...keys.map(generationOf))));
  const told = `services sign with ${[...newest].join(" and ")}`;
  const generations =
    newest.size === 1 && Math.max(...newest) >= wanted
      ? ok("key generations", `all ${told}`)
      : failed("key generations", `${told}, the issuer says ${wanted}`, "Issue the keys anew and restart");
  return [signers, generations];
}

/** Returns the keys with which a process signs; null where it has no key file that can be read. */
function signingKeysOf(process: ServiceProcess) {
  if (fileOfVariable(process, "SUTURE_KEYS") === null) return null;
  try {
    const { keys } = ringSchema.parse(JSON.parse(readVariable(process, "SUTURE_KEYS")));
    return keys.filter(({ use }) => use === "sign_verify");
  } catch {
    return null;
  }
}
