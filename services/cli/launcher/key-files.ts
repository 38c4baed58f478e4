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
import type { KeyEdge, KeyGenerations, KeyRecord } from "#shared/envelope";
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
  /** Keys of edges to other clusters, as the cluster that issues them handed them out. */
  crossing: (dataDir: string): string => join(dataDir, "keys", "crossing.json"),
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

/**
 * The keys of one process. Each verifies what people order, which the console alone signs. The surgeon also verifies
 * every edge: it judges letters that others tell of.
 */
export function issueKeys({ dataDir, edges, agents }: KeysToIssue): Keyring {
  const rings = agents.map((agent) => keyringOf(dataDir, agent, edges));
  const asked = { master: openMaster(dataDir), edges, generations: readGenerations(dataDir) };
  if (!agents.includes("surgeon")) {
    const ofPeople = edges.filter(({ from }) => from === "console");
    return Keyring.merge([...rings, issueVerifyingKeyring({ ...asked, edges: ofPeople })]);
  }
  const crossing = readCrossing(dataDir).map((record): KeyRecord => ({ ...record, use: "verify" }));
  const isCrossing = (edge: KeyEdge): boolean =>
    crossing.some(({ from, to }) => from === edge.from && to === edge.to);
  const own = issueVerifyingKeyring({ ...asked, edges: edges.filter((edge) => !isCrossing(edge)) });
  return Keyring.merge([...rings, own, new Keyring(crossing)]);
}

/** The keys that one agent has of these edges: of the own master, or where an edge crosses, as imported. */
export function keyringOf(dataDir: string, agent: string, edges: readonly KeyEdge[]): Keyring {
  const crossing = readCrossing(dataDir);
  const isCrossing = (edge: KeyEdge): boolean =>
    crossing.some(({ from, to }) => from === edge.from && to === edge.to);
  const own = edges.filter((edge) => !isCrossing(edge));
  const imported = crossing
    .filter((record) => edges.some(({ from, to }) => from === record.from && to === record.to))
    .filter(({ from, to }) => from === agent || to === agent)
    .map((record): KeyRecord => (record.from === agent ? record : { ...record, use: "verify" }));
  const issued = { master: openMaster(dataDir), agent, edges: own, generations: readGenerations(dataDir) };
  return Keyring.merge([issueKeyring(issued), new Keyring(imported)]);
}

function readCrossing(dataDir: string): readonly KeyRecord[] {
  const text = readSecret(keyFile.crossing(dataDir));
  if (text === null) return [];
  // Refused before it was kept, if it is none.
  const file: { readonly keys: readonly KeyRecord[] } = JSON.parse(Keyring.fromJson(text).exportJson());
  return file.keys;
}

/** Issues the keys of one process into its file. @returns The file. */
export function issueKeyFile(asked: KeysToIssue & { readonly name: string }): string {
  const file = keyFile.ofProcess(asked.dataDir, asked.name);
  writeSecret(file, `${issueKeys(asked).exportJson()}\n`);
  return file;
}
