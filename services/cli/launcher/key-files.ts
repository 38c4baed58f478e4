import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { randomHex, uuidv7 } from "#shared/clock";
import {
  createMaster,
  FIRST_GENERATION,
  issueKeyring,
  issueVerifyingKeyring,
  Keyring,
} from "#shared/envelope/keys";
import type { KeyEdge, KeyGenerations } from "#shared/envelope/keys";

/** Paths of the keys of one machine, below its data folder. */
export const keyFile = {
  /** Everything is derived from it; read by the launcher and the key command alone. */
  master: (dataDir: string): string => join(dataDir, "keys", "master"),
  generations: (dataDir: string): string => join(dataDir, "keys", "generations.json"),
  issued: (dataDir: string): string => join(dataDir, "keys", "issued.json"),
  apiKeys: (dataDir: string): string => join(dataDir, "keys", "api-keys"),
  /** Passwords of the private Redis' users. */
  redisUsers: (dataDir: string): string => join(dataDir, "keys", "redis-users.json"),
  ofProcess: (dataDir: string, name: string): string => join(dataDir, "keys", `${name}.json`),
} as const;

const API_SECRET_BYTES = 24;

const generationsSchema = z.object({
  signing: z.int().min(1),
  verifying: z.array(z.int().min(1)).min(1).max(100),
});

/** Agents for which each process's key file was issued, so that a rotation can issue it anew. */
const issuedSchema = z.record(z.string(), z.object({ agents: z.array(z.string()) }));

/** The master secret, made at the first use. */
export function openMaster(dataDir: string): string {
  return keepSecret(keyFile.master(dataDir), createMaster).trim();
}

/** The generated API key, made at the first use. @returns The file, as `SUTURE_API_KEYS=@file` takes it. */
export function openApiKeys(dataDir: string): string {
  const file = keyFile.apiKeys(dataDir);
  keepSecret(file, () => `local:admin:${randomHex(API_SECRET_BYTES)}\n`);
  return file;
}

export function readGenerations(dataDir: string): KeyGenerations {
  const text = readSecret(keyFile.generations(dataDir));
  return text === null ? FIRST_GENERATION : generationsSchema.parse(JSON.parse(text));
}

export function writeGenerations(dataDir: string, generations: KeyGenerations): void {
  writeSecret(keyFile.generations(dataDir), `${JSON.stringify(generations)}\n`);
}

/** Processes whose keys were issued into this folder, by name. */
export function readIssued(dataDir: string): z.output<typeof issuedSchema> {
  return issuedSchema.parse(JSON.parse(readSecret(keyFile.issued(dataDir)) ?? "{}"));
}

interface KeysToIssue {
  readonly dataDir: string;
  /** Edges of the whole deployment. */
  readonly edges: readonly KeyEdge[];
  /** Agents of one process: it gets the keys of their edges and no others. */
  readonly agents: readonly string[];
}

/** The keys of one process: of its agents' edges. The surgeon verifies every edge: it judges what others tell. */
export function issueKeys({ dataDir, edges, agents }: KeysToIssue): Keyring {
  const [master, generations] = [openMaster(dataDir), readGenerations(dataDir)];
  const rings = agents.map((agent) => issueKeyring({ master, generations, agent, edges }));
  const seen = agents.includes("surgeon") ? [issueVerifyingKeyring({ master, generations, edges })] : [];
  return Keyring.merge([...rings, ...seen]);
}

/** Issues the keys of one process into its file, and writes down for what. @returns The file. */
export function issueKeyFile(asked: KeysToIssue & { readonly name: string }): string {
  const { dataDir, name, agents } = asked;
  const file = keyFile.ofProcess(dataDir, name);
  writeSecret(file, `${issueKeys(asked).exportJson()}\n`);
  const issued = { ...readIssued(dataDir), [name]: { agents } };
  writeSecret(keyFile.issued(dataDir), `${JSON.stringify(issued, null, 2)}\n`);
  return file;
}

/** Writes a secret atomically, readable by its owner only. */
export function writeSecret(file: string, text: string): void {
  const temporary = writeBeside(file, text);
  renameSync(temporary, file);
}

/** Reads a secret, created at first use: whole, by one of several processes, never overwritten. */
export function keepSecret(file: string, make: () => string): string {
  const found = readSecret(file);
  if (found !== null) return found;
  const temporary = writeBeside(file, make());
  try {
    linkSync(temporary, file);
  } catch (error) {
    // Another process was first; its secret is the one that counts.
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readFileSync(file, "utf8");
}

/** Reads a secret; null where the file does not exist. */
export function readSecret(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

function writeBeside(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${uuidv7()}`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  return temporary;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
