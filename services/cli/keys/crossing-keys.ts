import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { loadConfig } from "#shared/config";
import type { BridgePeer, Config } from "#shared/config";
import { Keyring, verifyOnly } from "#shared/envelope/keys";
import type { KeyEdge, KeyRecord } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { CommandRefusedError } from "../errors.ts";
import {
  crossingFile,
  derivePairs,
  readCrossed,
  readImported,
  recordsOf,
} from "../launcher/crossing-records.ts";
import { keepKeyFile, keyringOf, openMaster, readGenerations } from "../launcher/key-files.ts";
import { writeSecret } from "../launcher/secret-file.ts";
import { write, writeError } from "../print/print-answer.ts";

interface Options {
  readonly dataDir?: string;
}

/** The file that one cluster hands to another: public halves of its keys. */
const handedSchema = z.strictObject({
  version: z.literal(2),
  /** The cluster that made the keys, and the one they are for. */
  cluster: z.string(),
  peer: z.string(),
  keys: z.array(z.unknown()).max(10_000),
});

/** Edges with one end among the agents that live elsewhere; those to a ward stay within their cluster. */
function crossingEdges(edges: readonly KeyEdge[], elsewhere: readonly string[]): KeyEdge[] {
  return edges.filter(({ from, to }) => to !== "ward" && elsewhere.includes(from) !== elsewhere.includes(to));
}

/** Returns the agents of other clusters. */
function elsewhereOf(config: Config): readonly string[] {
  return config.bridge.peers.flatMap(({ agents }) => agents);
}

function peerOf(config: Config, cluster: string): BridgePeer {
  const peer = config.bridge.peers.find((one) => one.cluster === cluster);
  if (peer !== undefined) return peer;
  const known = config.bridge.peers.map((one) => one.cluster).join(", ");
  throw new CommandRefusedError(
    `SUTURE_BRIDGE_PEERS has no cluster ${cluster}.`,
    `There are ${known || "none"}.`,
  );
}

/**
 * Makes the Ed25519 keys of the edges that begin here and end at a peer, and writes their public halves for it: the
 * peer can verify with them, and sign nothing. The private halves stay here, in the key files of the senders.
 *
 * @throws {CommandRefusedError} There is no such peer, or nothing crosses to it.
 */
export async function cross(
  cluster: string,
  { dataDir: folder, out }: Options & { readonly out?: string },
): Promise<void> {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: folder });
  const peer = peerOf(config, cluster);
  const { dataDir, bridge } = config;
  const elsewhere = elsewhereOf(config);
  const edges = edgesOf(await loadTeams(config.teamsDir)).filter(
    ({ from, to }) => !elsewhere.includes(from) && peer.agents.includes(to),
  );
  const own = bridge.cluster ?? "";
  if (edges.length === 0)
    throw new CommandRefusedError(
      `No edge crosses to ${cluster}.`,
      "Name its agents in SUTURE_BRIDGE_PEERS.",
    );
  const crossed = { cluster: own, edges };
  const pairs = derivePairs({ master: openMaster(dataDir), generations: readGenerations(dataDir), crossed });
  const others = readCrossed(dataDir)?.edges.filter(({ to }) => !peer.agents.includes(to)) ?? [];
  writeSecret(
    crossingFile.crossed(dataDir),
    `${JSON.stringify({ cluster: own, edges: [...others, ...edges] })}\n`,
  );
  const handed = { version: 2, cluster: own, peer: cluster, keys: pairs.map(verifyOnly) };
  const text = JSON.stringify(handed, null, 2);
  if (out === "-") return write(text);
  const file = out ?? join(dataDir, "keys", `crossing-${cluster}.json`);
  writeSecret(file, `${text}\n`);
  write(
    `Public keys of ${edges.length} edges to ${cluster} are in ${file}, fingerprint ${fingerprint(pairs)}. ` +
      `There: suture keys import ${file}. When that is done, issue the keys here anew: only then do they sign.`,
  );
}

/**
 * Keeps what a peer handed over: public keys of edges that begin at that peer and end here. Nothing else is taken, and
 * a key that is known under the same id stays unless it is to be replaced.
 *
 * @param isReplacing - Put them in place of all earlier keys of the same edges.
 * @throws {CommandRefusedError} Nothing was kept: the file cannot be read, is not meant for this cluster, or holds
 * something else.
 */
export async function importCrossing(
  file: string,
  options: Options & { readonly replace?: boolean },
): Promise<void> {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: options.dataDir });
  const handed = readHanded(file);
  if (handed.peer !== config.bridge.cluster)
    throw new CommandRefusedError(
      `${file} is for the cluster ${handed.peer}.`,
      "This one is SUTURE_BRIDGE_CLUSTER.",
    );
  const peer = peerOf(config, handed.cluster);
  const keys = recordsOf(Keyring.fromJson({ version: 1, keys: handed.keys }));
  const edges = edgesOf(await loadTeams(config.teamsDir));
  const elsewhere = elsewhereOf(config);
  for (const key of keys) refuseForeign(key, { peer, edges, elsewhere });
  const isTold = (record: KeyRecord): boolean =>
    keys.some(({ from, to }) => from === record.from && to === record.to);
  const known = readImported(config.dataDir);
  const kept = options.replace === true ? known.filter((record) => !isTold(record)) : known;
  const clash = kept.find((record) =>
    keys.some((key) => key.key_id === record.key_id && !isSame(key, record)),
  );
  if (clash !== undefined)
    throw new CommandRefusedError(
      `Another key is known under the id ${clash.key_id}.`,
      `Ask ${peer.cluster} whether it made new ones; then import them with --replace.`,
    );
  const text = Keyring.merge([new Keyring(kept), new Keyring(keys)]).exportJson();
  writeSecret(crossingFile.imported(config.dataDir), `${text}\n`);
  warnOfShared(kept);
  write(
    `Imported ${keys.length} keys, fingerprint ${fingerprint(keys)}: compare it with what ${peer.cluster} was told.`,
  );
  write("Issue the keys of the agents here anew, the bridge's too.");
}

function readHanded(file: string): z.output<typeof handedSchema> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new CommandRefusedError(`${file} cannot be read.`, 'Make it with "suture keys cross" over there.');
  }
  try {
    return handedSchema.parse(JSON.parse(text));
  } catch {
    throw new CommandRefusedError(
      `${file} is not what "suture keys cross" writes.`,
      "A file of an earlier release holds shared secrets, with which either side can sign: make it anew over there.",
    );
  }
}

/** Refuses a key that is not a public key of an edge from the peer to here. */
function refuseForeign(
  key: KeyRecord,
  asked: {
    readonly peer: BridgePeer;
    readonly edges: readonly KeyEdge[];
    readonly elsewhere: readonly string[];
  },
): void {
  const { peer, edges, elsewhere } = asked;
  const { from, to, key_id } = key;
  const begins = peer.agents.includes(from) || from === "gateway" || from === "surgeon";
  const ends = to !== "ward" && !elsewhere.includes(to);
  const isDeclared = edges.some((edge) => edge.from === from && edge.to === to);
  const isPublic = key.alg === "EdDSA" && key.private === undefined && key.use === "verify";
  if (begins && ends && isDeclared && isPublic) return;
  throw new CommandRefusedError(
    `The file holds ${key_id}, which is not a public key of an edge from ${peer.cluster} to here.`,
    `Nothing was imported. Ask ${peer.cluster} for a file that "suture keys cross" has made for this cluster.`,
  );
}

function isSame(one: KeyRecord, other: KeyRecord): boolean {
  return one.alg === "EdDSA" && other.alg === "EdDSA" && one.public === other.public;
}

/** Returns a fingerprint short enough to be read out. */
function fingerprint(keys: readonly KeyRecord[]): string {
  const lines = keys.map((key) => `${key.key_id} ${key.alg === "EdDSA" ? key.public : ""}`);
  return createHash("sha256").update(lines.toSorted().join("\n")).digest("hex").slice(0, 32);
}

function warnOfShared(records: readonly KeyRecord[]): void {
  const shared = records.filter(({ alg }) => alg === "HS256");
  if (shared.length === 0) return;
  writeError(
    `${shared.length} keys of an earlier release are shared secrets, with which either side can sign. Import those of ` +
      "this release with --replace once nothing is under way that was sealed with the old ones.",
  );
}

/**
 * The keys of a bridge: it verifies what crosses, seals nothing, and writes down dead messages of agents elsewhere.
 *
 * @returns The file.
 */
export function issueBridgeKeyFile(asked: {
  readonly dataDir: string;
  readonly edges: readonly KeyEdge[];
  /** Agents that live in other clusters. */
  readonly elsewhere: readonly string[];
}): string {
  const { dataDir, edges, elsewhere } = asked;
  warnOfShared(readImported(dataDir));
  const verified = crossingEdges(edges, elsewhere);
  const signed = edges.filter(({ from, to }) => to === "ward" && elsewhere.includes(from));
  const keyring = Keyring.merge([
    // A gateway and a surgeon over there send here, too.
    new Keyring(readImported(dataDir).map(verifyOnly)),
    ...verified.map((edge) => keyringOf(dataDir, edge.to, [edge])),
    ...signed.map((edge) => keyringOf(dataDir, edge.from, [edge])),
  ]);
  return keepKeyFile(dataDir, { name: "bridge", keyring, agents: [], elsewhere: [...elsewhere] });
}
