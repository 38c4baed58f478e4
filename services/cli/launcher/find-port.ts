import { now, sleep } from "#shared/clock";
import { PortTakenError } from "#shared/http";
import { chooseFreePort, tryPort } from "../../../infra/redis/redis-process.ts";

const ATTEMPTS_MAX = 20;
const POLL_EVERY_MS = 200;

export interface WantedPort {
  readonly service: string;
  readonly host: string;
  /** 0: any. */
  readonly port: number;
  /** The variable that sets it. */
  readonly variable: string;
}

export interface PortSearch {
  /** Ports that are given away already. */
  readonly taken: ReadonlySet<number>;
  /** Takes any free port where the wanted one is taken, rather than failing. Default false. */
  readonly isFlexible?: boolean;
  /** How long a taken port is waited for, as services of a killed launcher need a moment to stop. Default 0 ms. */
  readonly waitMs?: number;
}

/** A port that is free at this moment. @throws {PortTakenError} */
export async function findPort(wanted: WantedPort, search: PortSearch): Promise<number> {
  const untilMs = now() + (search.waitMs ?? 0);
  if (wanted.port !== 0) {
    for (;;) {
      const isGiven = search.taken.has(wanted.port);
      if (!isGiven && (await tryPort(wanted.host, wanted.port)) !== null) return wanted.port;
      if (isGiven || now() >= untilMs) break;
      await sleep(POLL_EVERY_MS);
    }
    if (search.isFlexible !== true) throw new PortTakenError(wanted);
  }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = await chooseFreePort(null, wanted.host);
    if (port !== 0 && !search.taken.has(port)) return port;
  }
  throw new PortTakenError(wanted);
}
