import { statSync } from "node:fs";
import { parseRedisUrl } from "#shared/config";
import { readSecret } from "../../launcher/secret-file.ts";
import { keyFile } from "../../launcher/places.ts";
import { SERVICES } from "../../service-table.ts";
import { failed, ok, unlessFound } from "../finding.ts";
import type { Finding } from "../finding.ts";
import { fileOfVariable, readVariable } from "../service-processes.ts";
import type { ServiceProcess } from "../service-processes.ts";
import type { Subject } from "../subject.ts";

const READ_BY_OTHERS = 0o004;

/** Checks the isolation of running services: master key, secrets, Redis logins, relay. */
export function checkIsolation({ processes, profile, config }: Subject): readonly Finding[] {
  const seen = processes ?? [];
  if (seen.length === 0) return [];
  const findings = [mastersIn(seen, config.dataDir), looseSecrets(seen)];
  return profile === "shared"
    ? findings
    : [...findings, untold(seen), logins(seen), ...(seen.length > 1 ? [relays(seen)] : [])];
}

function mastersIn(processes: readonly ServiceProcess[], dataDir: string): Finding {
  const master = (readSecret(keyFile.master(dataDir)) ?? "").trim();
  const holding = processes.flatMap((one) =>
    Object.keys(one.env)
      .filter((name) => master !== "" && readVariable(one, name).includes(master))
      .map((name) => `${name} of ${nameOf(one)}`),
  );
  return unlessFound("master in services", holding, {
    none: "no service was given it",
    some: "given as ",
    todo: "Take it away, make a new one, and issue all keys anew: whoever has it forges every agent",
  });
}

function looseSecrets(processes: readonly ServiceProcess[]): Finding {
  const loose = processes.flatMap((one) =>
    Object.keys(one.env)
      .filter((name) => ((modeOf(one, name) ?? 0) & READ_BY_OTHERS) !== 0)
      .map((name) => `${name} of ${nameOf(one)}`),
  );
  return unlessFound("secrets of services", loose, {
    none: "no file is readable to all",
    some: "readable to all: ",
    todo: "chmod o= the file, and change what is in it",
  });
}

function untold(processes: readonly ServiceProcess[]): Finding {
  const others = speakers(processes).filter(({ env }) => env["SUTURE_TRUST"] !== "isolated");
  return unlessFound("profile of services", others.map(nameOf), {
    none: "each was told isolated",
    some: "not told isolated: ",
    todo: "Start them with SUTURE_TRUST=isolated, one agent in a process",
  });
}

function logins(processes: readonly ServiceProcess[]): Finding {
  const wrong = speakers(processes).flatMap((one) => {
    const wanted = one.services.includes("agents")
      ? agentsOf(one).map((name) => `agent-${name}`)
      : [one.service];
    const user = userOf(readVariable(one, "REDIS_URL"));
    return wanted.length === 1 && wanted[0] === user ? [] : [`${nameOf(one)} as ${user}`];
  });
  return unlessFound("Redis logins", wrong, {
    none: "each service has its own",
    some: "not its own: ",
    todo: "Give each its own user of suture redis-acl in REDIS_URL, and change the password of the other",
  });
}

function relays(processes: readonly ServiceProcess[]): Finding {
  const check = "relay";
  const count = processes.filter(({ services }) => services.includes("relay")).length;
  if (count > 0) return ok(check, `${count} at work`);
  return failed(check, "none is seen: nothing that agents hand on is delivered", "Start one: suture relay");
}

/** Returns the processes that use Redis. */
function speakers(processes: readonly ServiceProcess[]): readonly ServiceProcess[] {
  return processes.filter(({ services }) => services.some((name) => SERVICES[name].usesRedis));
}

function userOf(url: string): string {
  const parsed = parseRedisUrl(url.trim());
  return "problem" in parsed ? "nobody" : (parsed.address.username ?? "default");
}

/** Returns the agents named on a process's command line. */
function agentsOf({ commandLine }: ServiceProcess): string[] {
  const script = commandLine.findIndex((word) => /main\.[jt]s$/.test(word));
  return commandLine.slice(script + 1).filter((word) => word !== "");
}

function nameOf(one: ServiceProcess): string {
  return one.services.includes("agents") ? `agents ${agentsOf(one).join(" ")}` : one.service;
}

function modeOf(one: ServiceProcess, name: string): number | null {
  const file = fileOfVariable(one, name);
  try {
    return file === null ? null : statSync(file).mode;
  } catch {
    // Not there, or behind a folder that this user may not enter.
    return null;
  }
}
