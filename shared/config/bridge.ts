import { z } from "zod";
import { readJson } from "./read-json.ts";
import { Secret } from "./secret.ts";
import type { VariableName, VariableValues } from "./variables.ts";

/** Another cluster: its bridge and its agents. */
export interface BridgePeer {
  readonly cluster: string;
  /** `http://` or `https://` address of its bridge, without path. */
  readonly url: string;
  /** The first signs, all verify. Both sides have the same. */
  readonly secrets: readonly Secret[];
  /** Names of its agents, of teams that are loaded here. */
  readonly agents: readonly string[];
}

export interface BridgeConfig {
  /** Name of this cluster. Unset: there is no bridge. */
  readonly cluster: string | null;
  /** The other clusters: bridge address, shared secrets and agents of each. */
  readonly peers: readonly BridgePeer[];
  /** Address that the bridge listens on. */
  readonly host: string;
  /** Port of the bridge for its peers, HTTP/2. */
  readonly port: number;
  /** Port of the bridge for health probes and Prometheus, HTTP/1. */
  readonly statusPort: number;
  /** PEM texts. Null: HTTP/2 without TLS. With `ca`, both sides must show certificates of it (mutual TLS). */
  readonly tls: { readonly cert: string; readonly key: Secret; readonly ca: string | null } | null;
  /** Messages in flight to one remote agent at once. */
  readonly window: number;
  /** Time limit of one request to a peer, in ms. */
  readonly requestMs: number;
  /** Upper bound of the pause between two tries of one message, in ms. */
  readonly retryMsMax: number;
  /** Time for which a taken message is remembered (deduplication window), in hours. */
  readonly memoryHours: number;
  /** Run events waiting to be sent to their home cluster at which no further message is taken (backpressure). */
  readonly returnLimit: number;
}

const SECRET_BYTES_MIN = 32;
const PEERS_MAX = 50;
const AGENTS_MAX = 1000;

const clusterName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, "is not lower-case letters, digits and hyphens");

const peerSchema = z.strictObject({
  cluster: clusterName,
  url: z.string().refine(isOrigin, "is not http:// or https://, a host and a port, and nothing more"),
  secrets: z
    .array(z.string().refine(isLongEnough, `is not base64url of at least ${SECRET_BYTES_MIN} bytes`))
    .min(1)
    .max(3),
  agents: z.array(z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, "is not an agent's name")).max(AGENTS_MAX),
});

/** Reads `[{"cluster": …, "url": …, "secrets": […], "agents": […]}]`; the problem's words hold no secret. */
export function parseBridgePeers(
  text: string,
): { readonly peers: readonly BridgePeer[] } | { readonly problem: string } {
  const parsed = readJson(z.array(peerSchema).max(PEERS_MAX), text);
  if ("problem" in parsed) return parsed;
  const clusters = parsed.value.map(({ cluster }) => cluster);
  const agents = parsed.value.flatMap((peer) => peer.agents);
  if (new Set(clusters).size < clusters.length) return { problem: "names a cluster twice" };
  if (new Set(agents).size < agents.length) return { problem: "lets an agent live in two places" };
  return {
    peers: parsed.value.map((peer) => ({
      ...peer,
      url: new URL(peer.url).origin,
      secrets: peer.secrets.map((secret) => new Secret(secret)),
    })),
  };
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { origin, pathname, search, hash, username, password } = new URL(text);
  return origin !== "null" && pathname === "/" && search + hash + username + password === "";
}

function isLongEnough(text: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(text) && Buffer.from(text, "base64url").length >= SECRET_BYTES_MIN;
}

interface BridgeTools {
  readonly read: (name: VariableName) => string | null;
  readonly readPem: (name: VariableName) => string | null;
  readonly refuse: (variable: VariableName, problem: string) => void;
}

/** Reads the bridge's settings and refuses contradictions. */
export function readBridge(values: VariableValues, tools: BridgeTools): BridgeConfig {
  const text = tools.read("SUTURE_BRIDGE_PEERS");
  const parsed = text === null ? { peers: [] } : parseBridgePeers(text);
  if ("problem" in parsed) tools.refuse("SUTURE_BRIDGE_PEERS", parsed.problem);
  const peers = "peers" in parsed ? parsed.peers : [];
  const cluster = values.SUTURE_BRIDGE_CLUSTER;
  if (peers.length > 0 && cluster === null)
    tools.refuse("SUTURE_BRIDGE_CLUSTER", "must be set for SUTURE_BRIDGE_PEERS");
  if (peers.some((peer) => peer.cluster === cluster))
    tools.refuse("SUTURE_BRIDGE_PEERS", "names this cluster itself");
  return {
    cluster,
    peers,
    host: values.SUTURE_BRIDGE_HOST,
    port: values.SUTURE_BRIDGE_PORT,
    statusPort: values.SUTURE_BRIDGE_STATUS_PORT,
    tls: readTls(tools),
    window: values.SUTURE_BRIDGE_WINDOW,
    requestMs: values.SUTURE_BRIDGE_REQUEST_MS,
    retryMsMax: values.SUTURE_BRIDGE_RETRY_MS_MAX,
    memoryHours: values.SUTURE_BRIDGE_MEMORY_HOURS,
    returnLimit: values.SUTURE_BRIDGE_RETURN_LIMIT,
  };
}

function readTls({ readPem, refuse }: BridgeTools): BridgeConfig["tls"] {
  const names = ["SUTURE_BRIDGE_TLS_CERT", "SUTURE_BRIDGE_TLS_KEY", "SUTURE_BRIDGE_TLS_CA"] as const;
  const [cert = null, key = null, ca = null] = names.map(readPem);
  if (cert !== null && key === null) refuse("SUTURE_BRIDGE_TLS_KEY", "must be set with the certificate");
  if (cert === null && (key ?? ca) !== null)
    refuse("SUTURE_BRIDGE_TLS_CERT", "must be set with its key and authority");
  return cert === null || key === null ? null : { cert, key: new Secret(key), ca };
}
