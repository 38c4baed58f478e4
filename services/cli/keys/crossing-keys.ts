import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "#shared/config";
import { issueKeyring, Keyring } from "#shared/envelope";
import type { KeyEdge } from "#shared/envelope";
import { edgesOf, loadTeams } from "#shared/runtime";
import { CommandRefusedError } from "../errors.ts";
import { keepKeyFile, keyFile, keyringOf, openMaster, readGenerations } from "../launcher/key-files.ts";
import { writeSecret } from "../launcher/secret-file.ts";
import { write } from "../print/print-answer.ts";

/** Edges with one end among the agents that live elsewhere; those to a ward stay within their cluster. */
function crossingEdges(edges: readonly KeyEdge[], elsewhere: readonly string[]): KeyEdge[] {
  return edges.filter(({ from, to }) => to !== "ward" && elsewhere.includes(from) !== elsewhere.includes(to));
}

/**
 * Writes what a peer has to know of this cluster's keys: those of the edges that cross to it, to sign and to verify,
 * because senders and receivers of theirs are there.
 *
 * @throws {CommandRefusedError} There is no such peer, or nothing crosses to it.
 */
export async function cross(
  cluster: string,
  { dataDir, out }: { readonly dataDir?: string; readonly out?: string },
): Promise<void> {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  const peer = config.bridge.peers.find((one) => one.cluster === cluster);
  if (peer === undefined) {
    const known = config.bridge.peers.map((one) => one.cluster).join(", ");
    throw new CommandRefusedError(
      `SUTURE_BRIDGE_PEERS has no cluster ${cluster}.`,
      `There are ${known || "none"}.`,
    );
  }
  const edges = crossingEdges(edgesOf(await loadTeams(config.teamsDir)), peer.agents);
  if (edges.length === 0)
    throw new CommandRefusedError(
      `No edge crosses to ${cluster}.`,
      "Name its agents in SUTURE_BRIDGE_PEERS.",
    );
  const master = openMaster(config.dataDir);
  const generations = readGenerations(config.dataDir);
  const senders = [...new Set(edges.map(({ from }) => from))];
  const text = Keyring.merge(
    senders.map((agent) =>
      issueKeyring({ master, agent, generations, edges: edges.filter(({ from }) => from === agent) }),
    ),
  ).exportJson();
  if (out === "-") return write(text);
  const file = out ?? join(config.dataDir, "keys", `crossing-${cluster}.json`);
  writeSecret(file, `${text}\n`);
  write(
    `Keys of ${edges.length} edges to and from ${cluster} are in ${file}. There: suture keys import ${file}`,
  );
}

/** @throws {CommandRefusedError} The file cannot be read. {KeyringInvalidError} It holds no keys. */
export function importCrossing(file: string, { dataDir }: { readonly dataDir?: string }): void {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  const keyring = Keyring.fromJson(readText(file));
  writeSecret(keyFile.crossing(config.dataDir), `${keyring.exportJson()}\n`);
  write("Imported. Issue the keys of the agents here anew and restart their processes, the bridge too.");
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new CommandRefusedError(`${file} cannot be read.`, 'Make it with "suture keys cross" over there.');
  }
}

/**
 * The keys of a bridge: it verifies what crosses, seals nothing, and writes down dead letters of agents elsewhere.
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
  const verified = crossingEdges(edges, elsewhere);
  const signed = edges.filter(({ from, to }) => to === "ward" && elsewhere.includes(from));
  const keyring = Keyring.merge([
    ...verified.map((edge) => keyringOf(dataDir, edge.to, [edge])),
    ...signed.map((edge) => keyringOf(dataDir, edge.from, [edge])),
  ]);
  return keepKeyFile(dataDir, { name: "bridge", keyring, agents: [], elsewhere: [...elsewhere] });
}
