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
  const choose = async (one: WantedPort): Promise<number> => {
    const port = await findPort(one, { ...search, taken });
    taken.add(port);
    if (one.port !== 0 && port !== one.port)
      search.say(`Port ${one.port} is taken; the ${one.service} uses ${port}.`);
    return port;
  };
  const { gatewayHost, gatewayPort, consoleHost, consolePort, rehearsalHost, rehearsalPort } = config;
  const wanted = (service: string, host: string, port: number): WantedPort => {
    return { service, host, port, variable: `SUTURE_${service.toUpperCase()}_PORT` };
  };
  return {
    gateway: await choose(wanted("gateway", gatewayHost, gatewayPort)),
    console: await choose(wanted("console", consoleHost, consolePort)),
    rehearsal: await choose(wanted("rehearsal", rehearsalHost, rehearsalPort)),
  };
}
