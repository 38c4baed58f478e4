import { randomInt } from "node:crypto";
import { chooseFreePort } from "../redis/redis-process.ts";
import type { ComposeFile } from "./read-compose.ts";

/** Container ports that no variable of the file names, by service. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  redis: { REDIS_PORT: "6379" },
  gateway: { SUTURE_GATEWAY_PORT: "8080" },
  console: { SUTURE_CONSOLE_PORT: "8081" },
  sandbox: { SUTURE_REHEARSAL_PORT: "8082" },
  reader: { "--port": "8090" },
};

const OCTET = { from: 1, below: 255 } as const;

/** Returns a loopback address that other tests do not use, where a system has more than one. */
function chooseLoopback(): string {
  const octet = (): number => randomInt(OCTET.from, OCTET.below);
  return process.platform === "linux" ? `127.${octet()}.${octet()}.${octet()}` : "127.0.0.1";
}

/** Ports of this machine in place of those of containers: each of these has its own loopback, here all share one. */
export class Ports {
  /** Address on which all services listen. */
  readonly host = chooseLoopback();
  readonly #byContainer = new Map<string, number>();

  async choose(services: ComposeFile["services"]): Promise<void> {
    const taken = new Set<number>();
    for (const [name, { environment }] of Object.entries(services)) {
      for (const port of Object.values(portVariables(name, environment))) {
        let chosen = await chooseFreePort(null);
        while (taken.has(chosen)) chosen = await chooseFreePort(null);
        taken.add(chosen);
        this.#byContainer.set(`${name}:${port}`, chosen);
      }
    }
  }

  of(service: string, port: number | string): number {
    return this.#byContainer.get(`${service}:${port}`) ?? 0;
  }

  /** Returns the variables that make a service listen where it is meant to; one takes it as an argument. */
  variables(service: string, environment: Readonly<Record<string, string>>): Record<string, string> {
    const variables = Object.entries(portVariables(service, environment));
    return Object.fromEntries(variables.map(([name, port]) => [name, String(this.of(service, port))]));
  }

  /** Returns addresses of containers, by name or as a container's own loopback, as those of this machine. */
  translate(service: string, word: string): string {
    // A service that listens for other containers listens for this machine alone.
    if (word === "0.0.0.0") return this.host;
    return word.replaceAll(
      /([a-z][a-z0-9-]*|127\.0\.0\.1):(\d+)/g,
      (address: string, host: string, port: string) => {
        const mapped = this.#byContainer.get(`${host === "127.0.0.1" ? service : host}:${port}`);
        return mapped === undefined ? address : `${this.host}:${mapped}`;
      },
    );
  }
}

function portVariables(
  service: string,
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  const declared = Object.entries(environment).filter(([name]) => /^SUTURE_[A-Z]+_PORT$/.test(name));
  return { ...DEFAULTS[service], ...Object.fromEntries(declared) };
}

const ANSWER_MS = 2000;

/** Returns true if the address answers with a status of 2xx. */
export function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
