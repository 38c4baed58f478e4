import { join } from "node:path";
import { z } from "zod";
import { randomHex } from "#shared/clock";
import {
  createMaster,
  FIRST_GENERATION,
  issueKeyring,
  issueVerifyingKeyring,
  Keyring,
} from "#shared/envelope";
import type { KeyEdge, KeyGenerations } from "#shared/envelope";
import { splitByMaster, verifyOnly } from "./crossing-records.ts";
import { keepSecret, readSecret, writeSecret } from "./secret-file.ts";

const API_SECRET_BYTES = 24;

const generationsSchema = z.object({
  signing: z.int().min(1),
  verifying: z.array(z.int().min(1)).min(1).max(100),
});

/** What a process's key file was issued for, so that a rotation can issue it anew. */
const issuedSchema = z.record(
  z.string(),
  z.object({
    agents: z.array(z.string()),
    /** Of a bridge: the agents that live in other clusters. Null for all other processes. */
    elsewhere: z.array(z.string()).nullable(),
  }),
);

export type Issued = z.output<typeof issuedSchema>;

/** Where the keys of one machine are, below its data folder. */
export const keyFile = {
  /** Everything is derived from it; read by the launcher and the key command alone. */
  master: (dataDir: string): string => join(dataDir, "keys", "master"),
  generations: (dataDir: string): string => join(dataDir, "keys", "generations.json"),
  issued: (dataDir: string): string => join(dataDir, "keys", "issued.json"),
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

/** Processes whose keys were issued into this folder, by name. */
export function readIssued(dataDir: string): Issued {
  return issuedSchema.parse(JSON.parse(readSecret(keyFile.issued(dataDir)) ?? "{}"));
}

/** Writes the key file of a process, and down for what it was issued. @returns The file. */
export function keepKeyFile(
  dataDir: string,
  process: Issued[string] & { readonly name: string; readonly keyring: Keyring },
): string {
  const { name, keyring, agents, elsewhere } = process;
  const file = keyFile.ofProcess(dataDir, name);
  writeSecret(file, `${keyring.exportJson()}\n`);
  const issued = { ...readIssued(dataDir), [name]: { agents, elsewhere } };
  writeSecret(keyFile.issued(dataDir), `${JSON.stringify(issued, null, 2)}\n`);
  return file;
}

export interface KeysToIssue {
  readonly dataDir: string;
  /** Edges of the whole deployment. */
  readonly edges: readonly KeyEdge[];
  /** Agents of one process: it gets the keys of their edges and no others. */
  readonly agents: readonly string[];
}

/**
 * The keys of one process. Each verifies what people order, which the console alone signs. Surgeon and relay also
 * verify every edge: they judge what others tell of.
 */
export function issueKeys({ dataDir, edges, agents }: KeysToIssue): Keyring {
  const rings = agents.map((agent) => keyringOf(dataDir, agent, edges));
  const issued = { master: openMaster(dataDir), generations: readGenerations(dataDir) };
  if (!agents.includes("surgeon") && !agents.includes("relay")) {
    const ofPeople = edges.filter(({ from }) => from === "console");
    return Keyring.merge([...rings, issueVerifyingKeyring({ ...issued, edges: ofPeople })]);
  }
  const { own, crossing } = splitByMaster(dataDir, { ...issued, edges });
  const verifying = issueVerifyingKeyring({ ...issued, edges: own });
  return Keyring.merge([...rings, verifying, new Keyring(crossing.map(verifyOnly))]);
}

/** The keys that one agent has of these edges: of the own master, and where an edge crosses, those of the crossing. */
export function keyringOf(dataDir: string, agent: string, edges: readonly KeyEdge[]): Keyring {
  const issued = { master: openMaster(dataDir), generations: readGenerations(dataDir) };
  const { own, crossing } = splitByMaster(dataDir, { ...issued, edges });
  const records = crossing
    .filter(({ from, to }) => from === agent || to === agent)
    .map((record) => (record.from === agent ? record : verifyOnly(record)));
  return Keyring.merge([issueKeyring({ ...issued, agent, edges: own }), new Keyring(records)]);
}

/** Issues the keys of one process into its file. @returns The file. */
export function issueKeyFile(asked: KeysToIssue & { readonly name: string }): string {
  const { dataDir, name, agents } = asked;
  return keepKeyFile(dataDir, { name, keyring: issueKeys(asked), agents: [...agents], elsewhere: null });
}
