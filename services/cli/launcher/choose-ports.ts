import { now, sleep } from "#shared/clock";
import type { Config } from "#shared/config";
import { PortTakenError } from "#shared/http";
import { chooseFreePort, tryPort } from "../../../infra/redis/redis-process.ts";

const POLL_EVERY_MS = 200;

type Ports = Readonly<Record<"gateway" | "console" | "rehearsal", number>>;

/**
 * Chooses the ports of all services before any starts, so that a restarted one keeps its address.
 * @param search.isFlexible - Takes another port where the configured one is taken.
 * @param search.waitMs - How long a taken port is waited for. @throws {PortTakenError}
 */
export async function choosePorts(
  config: Config,
  search: {
    readonly isFlexible: boolean;
    readonly waitMs: number;
    readonly say: (line: string) => void;
  },
): Promise<Ports> {
  const taken = new Set<number>();
  const choose = async (service: keyof Ports, host: string, wanted: number): Promise<number> => {
    const isFree = wanted !== 0 && !taken.has(wanted) && (await waitForPort(host, wanted, search.waitMs));
    const problem = { service, host, port: wanted, variable: `SUTURE_${service.toUpperCase()}_PORT` };
    if (wanted !== 0 && !isFree && !search.isFlexible) throw new PortTakenError(problem);
    let port = isFree ? wanted : await chooseFreePort(null, host);
    // One that is to be listened on, and is not yet.
    if (taken.has(port)) port = await chooseFreePort(null, host);
    if (port === 0) throw new PortTakenError(problem);
    taken.add(port);
    if (wanted !== 0 && port !== wanted) search.say(`Port ${wanted} is taken; the ${service} uses ${port}.`);
    return port;
  };
  return {
    gateway: await choose("gateway", config.gatewayHost, config.gatewayPort),
    console: await choose("console", config.consoleHost, config.consolePort),
    rehearsal: await choose("rehearsal", config.rehearsalHost, config.rehearsalPort),
  };
}

/** Returns whether a port is free, now or within a time. */
async function waitForPort(host: string, port: number, waitMs: number): Promise<boolean> {
  const untilMs = now() + waitMs;
  while ((await tryPort(host, port)) === null) {
    if (now() >= untilMs) return false;
    await sleep(POLL_EVERY_MS);
  }
  return true;
}
