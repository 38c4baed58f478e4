import { join } from "node:path";
import { z } from "zod";
import { randomHex } from "#shared/clock";
import { createMaster, FIRST_GENERATION, issueKeyring, Keyring } from "#shared/envelope";
import type { KeyEdge, KeyGenerations } from "#shared/envelope";
import { keepSecret, readSecret, writeSecret } from "./secret-file.ts";

const API_SECRET_BYTES = 24;

const generationsSchema = z.object({
  signing: z.int().min(1),
  verifying: z.array(z.int().min(1)).min(1).max(100),
});

/** Where the keys of one machine are, below its data folder. */
export const keyFile = {
  /** Everything is derived from it; read by the launcher and the key command alone. */
  master: (dataDir: string): string => join(dataDir, "keys", "master"),
  generations: (dataDir: string): string => join(dataDir, "keys", "generations.json"),
  apiKeys: (dataDir: string): string => join(dataDir, "keys", "api-keys"),
  ofProcess: (dataDir: string, name: string): string => join(dataDir, "keys", `${name}.json`),
} as const;

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

export interface KeysToIssue {
  readonly dataDir: string;
  /** Edges of the whole deployment. */
  readonly edges: readonly KeyEdge[];
  /** Agents of one process: it gets the keys of their edges and no others. */
  readonly agents: readonly string[];
}

/** The keys of one process. The surgeon also opens what is addressed to the ward. */
export function issueKeys({ dataDir, edges, agents }: KeysToIssue): Keyring {
  const master = openMaster(dataDir);
  const generations = readGenerations(dataDir);
  const names = agents.includes("surgeon") ? [...agents, "ward"] : agents;
  return Keyring.merge(names.map((agent) => issueKeyring({ master, agent, edges, generations })));
}

/** Issues the keys of one process into its file. @returns The file. */
export function issueKeyFile(asked: KeysToIssue & { readonly name: string }): string {
  const file = keyFile.ofProcess(asked.dataDir, asked.name);
  writeSecret(file, `${issueKeys(asked).exportJson()}\n`);
  return file;
}
