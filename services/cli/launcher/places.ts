import { join } from "node:path";

/** Where the keys of one machine are, below its data folder. */
export const keyFile = {
  /** Everything is derived from it; read by the launcher and the key command alone. */
  master: (dataDir: string): string => join(dataDir, "keys", "master"),
  generations: (dataDir: string): string => join(dataDir, "keys", "generations.json"),
  issued: (dataDir: string): string => join(dataDir, "keys", "issued.json"),
  apiKeys: (dataDir: string): string => join(dataDir, "keys", "api-keys"),
  ofProcess: (dataDir: string, name: string): string => join(dataDir, "keys", `${name}.json`),
} as const;

/** The address under which this machine reaches a service that listens on `host`. */
export function addressOf(host: string, port: number): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
