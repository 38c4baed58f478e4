import { needsSecret } from "../../service-table.ts";
import type { ServiceName } from "../../service-table.ts";
import { ok, open, unlessFound, unlessIsolated } from "../finding.ts";
import type { Finding } from "../finding.ts";
import type { ServiceProcess } from "../service-processes.ts";
import type { Subject } from "../subject.ts";

/** Variables that hold secrets and that only some services need. */
const SECRETS = ["OPENAI_API_KEY", "SUTURE_API_KEYS", "SUTURE_WEBHOOKS"] as const;
/** Variables of others that by their names hold secrets. */
const FOREIGN = /(?:SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|PRIVATE_KEY|API_KEY|ACCESS_KEY)/;

/** Checks running services: secrets of others in their environment, and shared Unix users. */
export function checkProcesses({ processes, profile }: Subject): readonly Finding[] {
  const check = "running services";
  if (processes === null) return [open(check, "this system does not show processes", "Look on Linux")];
  if (processes.length === 0) return [ok(check, "none of this data folder that this user may look into")];
  return [
    ok(check, summary(processes)),
    foreignSecrets(processes),
    ...(processes.length > 1 ? [sharedUser(processes, profile)] : []),
  ];
}

function summary(processes: readonly ServiceProcess[]): string {
  return processes.map(({ service, pid }) => `${service} ${pid}`).join(", ");
}

function foreignSecrets(processes: readonly ServiceProcess[]): Finding {
  const found = processes.flatMap(({ service, services, env }) =>
    Object.keys(env)
      .filter((name) => env[name] !== "" && !services.some((one) => isUser(one, name)))
      .map((name) => `${name} in ${service}`),
  );
  return unlessFound("secrets of others", found, {
    none: "no environment holds one that its service has no use for",
    todo: "Start services with their own variables alone",
  });
}

function isUser(service: ServiceName, name: string): boolean {
  const secret = SECRETS.find((one) => one === name);
  if (secret !== undefined) return needsSecret(service, secret);
  return !FOREIGN.test(name) || name.startsWith("SUTURE_");
}

function sharedUser(processes: readonly ServiceProcess[], profile: Subject["profile"]): Finding {
  const check = "users of services";
  const users = new Set(processes.map(({ uid }) => uid));
  if (users.size === processes.length) return ok(check, "each service runs as its own");
  return unlessIsolated(profile, {
    check,
    seen: `${processes.length} processes run as ${users.size === 1 ? "one user" : `${users.size} users`}`,
    todo: "Give each its own user or container, as docker-compose.yml does",
  });
}
