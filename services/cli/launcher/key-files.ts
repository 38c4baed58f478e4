import { z } from "zod";
import { randomHex } from "#shared/clock";
import {
  createMaster,
  FIRST_GENERATION,
  issueKeyring,
  issueVerifyingKeyring,
  Keyring,
} from "#shared/envelope/keys";
import type { KeyEdge, KeyGenerations } from "#shared/envelope/keys";
import { keepSecret, keyFile, readSecret, writeSecret } from "./secret-file.ts";

const API_SECRET_BYTES = 24;

const generationsSchema = z.object({
  signing: z.int().min(1),
  verifying: z.array(z.int().min(1)).min(1).max(100),
});

/** What a process's key file was issued for, so that a rotation can issue it anew. */
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

/**
 * The keys of one process: those of its agents' edges. The surgeon verifies every edge: it judges what others tell of.
 */
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
