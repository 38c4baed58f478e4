import { z } from "zod";
import { randomHex } from "#shared/clock";
import type { Config } from "#shared/config";
import {
  createMaster,
  FIRST_GENERATION,
  FIRST_PAIRS,
  issueKeyring,
  issueVerifyingKeyring,
  Keyring,
} from "#shared/envelope/keys";
import type { KeyEdge, KeyGenerations } from "#shared/envelope/keys";
import { CommandRefusedError } from "../errors.ts";
import { keyFile } from "./places.ts";
import { keepSecret, readSecret, writeSecret } from "./secret-file.ts";

const API_SECRET_BYTES = 24;

const generationsSchema = z.object({
  signing: z.int().min(1),
  verifying: z.array(z.int().min(1)).min(1).max(100),
  // Releases up to 0.1 had shared secrets alone.
  ed25519: z.array(z.int().min(1)).max(100).default([]),
});

/** What a process's key file was issued for, so that a rotation can issue it anew. */
const issuedSchema = z.record(z.string(), z.object({ agents: z.array(z.string()) }));

export type Issued = z.output<typeof issuedSchema>;

/**
 * Makes the master where there is none. Keys that are issued from it begin as the profile of trust has them: as pairs
 * where agents are isolated, else as shared secrets. What exists stays as it is until the keys are rotated.
 */
export function openKeys({ dataDir, trust }: Pick<Config, "dataDir" | "trust">): void {
  const isFirst = readSecret(keyFile.master(dataDir)) === null;
  if (isFirst && trust === "isolated")
    keepSecret(keyFile.generations(dataDir), () => `${JSON.stringify(FIRST_PAIRS)}\n`);
  openMaster(dataDir);
}

/**
 * As `openKeys`, before services are started.
 *
 * @throws {CommandRefusedError} Agents are isolated, and the keys that sign are secrets that receivers share.
 */
export function openFittingKeys(config: Pick<Config, "dataDir" | "trust">): void {
  openKeys(config);
  const { signing, ed25519 = [] } = readGenerations(config.dataDir);
  if (config.trust === "shared" || ed25519.includes(signing)) return;
  throw new CommandRefusedError(
    `SUTURE_TRUST=isolated needs Ed25519 keys, and generation ${signing}, which signs, is of shared secrets.`,
    "Run `suture keys rotate` twice with SUTURE_TRUST=isolated, before the services are started with it.",
  );
}

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
  const { name, keyring, agents } = process;
  const file = keyFile.ofProcess(dataDir, name);
  writeSecret(file, `${keyring.exportJson()}\n`);
  const issued = { ...readIssued(dataDir), [name]: { agents } };
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
 * verify every edge: they judge what others tell of. So do agents, as far as keys are pairs: the surgeon may send them
 * a message that was sealed for another agent.
 */
export function issueKeys({ dataDir, edges, agents }: KeysToIssue): Keyring {
  const rings = agents.map((agent) => keyringOf(dataDir, agent, edges));
  const generations = readGenerations(dataDir);
  if (agents.includes("surgeon") || agents.includes("relay"))
    return Keyring.merge([...rings, verifyingOf(dataDir, edges, generations)]);
  const ofPeople = edges.filter(({ from }) => from === "console");
  const known = [...rings, verifyingOf(dataDir, ofPeople, generations)];
  const pairs = generations.verifying.filter((one) => generations.ed25519?.includes(one));
  const takesReroutes = edges.some(({ from, to }) => from === "surgeon" && agents.includes(to));
  if (pairs.length === 0 || !takesReroutes) return Keyring.merge(known);
  const between = edges.filter(({ from, to }) => from !== "surgeon" && to !== "ward");
  return Keyring.merge([...known, verifyingOf(dataDir, between, { ...generations, verifying: pairs })]);
}

/** Verifies these edges and signs none. */
function verifyingOf(dataDir: string, edges: readonly KeyEdge[], generations: KeyGenerations): Keyring {
  return issueVerifyingKeyring({ master: openMaster(dataDir), generations, edges });
}

/** The keys that one agent has of these edges. */
export function keyringOf(dataDir: string, agent: string, edges: readonly KeyEdge[]): Keyring {
  return issueKeyring({ master: openMaster(dataDir), generations: readGenerations(dataDir), agent, edges });
}

/** Issues the keys of one process into its file. @returns The file. */
export function issueKeyFile(asked: KeysToIssue & { readonly name: string }): string {
  const { dataDir, name, agents } = asked;
  return keepKeyFile(dataDir, { name, keyring: issueKeys(asked), agents: [...agents] });
}
