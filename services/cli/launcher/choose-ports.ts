import type { Config } from "#shared/config";
import { findPort } from "./find-port.ts";
import type { WantedPort } from "./find-port.ts";

export interface Ports {
  readonly gateway: number;
  readonly console: number;
  readonly rehearsal: number;
}

/**
 * Chooses the ports of all services before any starts, so that a service that is started again keeps its address.
 *
 * @param search.isFlexible - Take another port where the configured one is taken.
 * @throws {PortTakenError}
 */
export async function choosePorts(
  config: Config,
  search: { readonly isFlexible: boolean; readonly waitMs: number; readonly say: (line: string) => void },
): Promise<Ports> {
  const taken = new Set<number>();
  const choose = async (wanted: WantedPort): Promise<number> => {
    const port = await findPort(wanted, { ...search, taken });
    taken.add(port);
    if (wanted.port !== 0 && port !== wanted.port) {
      search.say(`Port ${wanted.port} is taken; the ${wanted.service} uses ${port}.`);
    }
    return port;
  };
  const { gatewayHost, gatewayPort, consoleHost, consolePort, rehearsalHost, rehearsalPort } = config;
  const gateway = {
    service: "gateway",
    host: gatewayHost,
    port: gatewayPort,
    variable: "SUTURE_GATEWAY_PORT",
  };
  const console = {
    service: "console",
    host: consoleHost,
    port: consolePort,
    variable: "SUTURE_CONSOLE_PORT",
  };
  const rehearsal = {
    service: "rehearsal",
    host: rehearsalHost,
    port: rehearsalPort,
    variable: "SUTURE_REHEARSAL_PORT",
  };
  return {
    gateway: await choose(gateway),
    console: await choose(console),
    rehearsal: await choose(rehearsal),
  };
}

/** The address under which this machine reaches a service that listens on `host`. */
export function addressOf(host: string, port: number): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
