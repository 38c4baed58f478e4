import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { deriveEdgeKeyPair, Keyring, KeyringInvalidError, verifyOnly } from "#shared/envelope/keys";
import type { KeyEdge, KeyGenerations, KeyRecord } from "#shared/envelope/keys";
import { readSecret } from "./secret-file.ts";

/** Who is in every cluster, with keys of that cluster. */
const EVERYWHERE: readonly string[] = ["gateway", "surgeon"];

/** Files about edges that cross to other clusters, below the data folder. */
export const crossingFile = {
  /** Keys of edges that come from other clusters. */
  imported: (dataDir: string): string => join(dataDir, "keys", "crossing.json"),
  /** Edges that lead to other clusters, and under which name of ours. */
  crossed: (dataDir: string): string => join(dataDir, "keys", "crossed.json"),
} as const;

const crossedSchema = z.object({
  cluster: z.string(),
  edges: z.array(z.object({ from: z.string(), to: z.string() })),
});

export type Crossed = z.output<typeof crossedSchema>;

/** Null where no key was ever made for another cluster. */
export function readCrossed(dataDir: string): Crossed | null {
  const text = readSecret(crossingFile.crossed(dataDir));
  return text === null ? null : crossedSchema.parse(JSON.parse(text));
}

export function readImported(dataDir: string): readonly KeyRecord[] {
  const text = readSecret(crossingFile.imported(dataDir));
  return text === null ? [] : recordsOf(Keyring.fromJson(text));
}

export function recordsOf(keyring: Keyring): readonly KeyRecord[] {
  // Its own form.
  const file: { readonly keys: readonly KeyRecord[] } = JSON.parse(keyring.exportJson());
  return file.keys;
}

/** Room for this many generations of each cluster's keys. */
const GENERATIONS_MAX = 1000;
/** Number of ranges of key generations, which have nine digits at most; each cluster has one. */
const CLUSTERS = 999_000;

/**
 * Where the generations of a cluster's own keys begin: edges of the same name, as from a gateway, that begin in several
 * clusters have keys of different ids.
 */
function firstGeneration(cluster: string): number {
  const place = createHash("sha256").update(cluster).digest().readUInt32BE(0) % CLUSTERS;
  return (place + 1) * GENERATIONS_MAX;
}

/** The Ed25519 pairs of edges that begin here and end in another cluster; one generation signs. */
export function derivePairs(asked: {
  readonly master: string;
  readonly generations: KeyGenerations;
  readonly crossed: Crossed;
}): KeyRecord[] {
  const { master, generations, crossed } = asked;
  if (generations.verifying.some((generation) => generation >= GENERATIONS_MAX))
    throw new KeyringInvalidError(`a generation of keys for other clusters is not below ${GENERATIONS_MAX}`);
  const base = firstGeneration(crossed.cluster);
  return crossed.edges.flatMap(({ from, to }) =>
    generations.verifying.map((generation) => {
      const pair = deriveEdgeKeyPair({ master, from, to, generation: base + generation });
      return generation === generations.signing ? pair : verifyOnly(pair);
    }),
  );
}

/** Tells the edges whose keys follow from the own master alone, and the keys of those that cross. */
export function splitByMaster(
  dataDir: string,
  asked: {
    readonly master: string;
    readonly generations: KeyGenerations;
    readonly edges: readonly KeyEdge[];
  },
): { readonly own: KeyEdge[]; readonly crossing: KeyRecord[] } {
  const isOf = (edge: KeyEdge) => (other: KeyEdge) => other.from === edge.from && other.to === edge.to;
  const all = readCrossed(dataDir);
  const crossed =
    all === null ? null : { ...all, edges: all.edges.filter((edge) => asked.edges.some(isOf(edge))) };
  const imported = readImported(dataDir).filter((record) => asked.edges.some(isOf(record)));
  // A gateway over there signs with its own key, and the one here with ours.
  const isForeign = (record: KeyRecord): boolean =>
    record.alg === "HS256" || !EVERYWHERE.includes(record.from);
  const foreign = imported.filter(isForeign);
  return {
    own: asked.edges.filter((edge) => !foreign.some(isOf(edge)) && crossed?.edges.some(isOf(edge)) !== true),
    crossing: [...imported, ...(crossed === null ? [] : derivePairs({ ...asked, crossed }))],
  };
}
