import type { Secret } from "./secret.ts";

/** TLS to Redis, as the `SUTURE_REDIS_TLS_*` variables set it. All texts are PEM. */
export interface RedisTls {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: Secret | null;
  readonly servername: string | null;
}

/** The parts of a Redis address. */
export interface RedisAddress {
  /** `single`: one server; `cluster`: masters that share the slots; `sentinel`: whoever the sentinels call master. */
  readonly kind: "single" | "cluster" | "sentinel";
  readonly isTls: boolean;
  /** Path of the single server's socket. Null: it is reached over the network. */
  readonly socket: string | null;
  /** The server, or nodes to ask first; at least one unless there is a socket. IPv6 hosts without brackets. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  /** Null: the default user. */
  readonly username: string | null;
  readonly password: string | null;
  /** Number of the database of a single server. */
  readonly database: number;
  /** Name of the master among the sentinels. */
  readonly masterName: string;
}

const KINDS: Readonly<Record<string, RedisAddress["kind"]>> = {
  redis: "single",
  rediss: "single",
  "redis-cluster": "cluster",
  "rediss-cluster": "cluster",
  "redis-sentinel": "sentinel",
  "rediss-sentinel": "sentinel",
};

const FORM = /^([a-z-]+):\/\/(?:([^@/]*)@)?([^/?#@]*)(?:\/([^?#]*))?$/;

const SOCKET_FORM = /^(?:redis\+)?unix:\/\/(?:([^@/]*)@)?(\/[^?#@]+)(?:\?db=(\d{1,5}))?$/;

const NODE = /^(?:([A-Za-z0-9._-]+)|\[([0-9A-Fa-f:.]+)\])(?::(\d{1,5}))?$/;

const PORT_DEFAULT = "6379";

const SENTINEL_PORT_DEFAULT = "26379";

/**
 * Takes a Redis address apart: `redis(s)://`, `redis+unix:///path?db=0`, `redis(s)-cluster://a,b`, and
 * `redis(s)-sentinel://a,b/<master name>`. @returns the address, or what is wrong with it, without its password.
 */
export function parseRedisUrl(
  url: string,
): { readonly address: RedisAddress } | { readonly problem: string } {
  if (/^(?:redis\+)?unix:/.test(url)) return parseSocket(url);
  const match = FORM.exec(url);
  if (match === null) return { problem: "is not an address of the form redis://host:port" };
  const [, protocol = "", login = "", list = "", path = ""] = match;
  const kind = Object.hasOwn(KINDS, protocol) ? KINDS[protocol] : undefined;
  if (kind === undefined) return { problem: `has a protocol other than ${Object.keys(KINDS).join(", ")}` };
  const nodes = list.split(",").map((node) => parseNode(node, kind));
  const [first] = nodes;
  if (kind === "single" && nodes.length > 1)
    return {
      problem: "names several nodes, for which it must begin with redis-cluster:// or redis-sentinel://",
    };
  if (first === undefined || nodes.includes(null)) return { problem: "has a node that is not host:port" };
  if (nodes.some((node) => node !== null && (node.port < 1 || node.port > 65_535)))
    return { problem: "has a port outside 1 to 65535" };
  if (kind === "single" && !/^\d{0,5}$/.test(path)) return { problem: "has a database that is not a number" };
  const user = parseLogin(login);
  if (user === null) return { problem: "has a user or password that is not percent-encoded well" };
  return {
    address: {
      kind,
      isTls: protocol.startsWith("rediss"),
      socket: null,
      nodes: nodes.filter((node) => node !== null),
      ...user,
      database: kind === "single" ? Number(path) : 0,
      masterName: kind === "sentinel" && path !== "" ? path : "mymaster",
    },
  };
}

function parseSocket(url: string): ReturnType<typeof parseRedisUrl> {
  const match = SOCKET_FORM.exec(url);
  if (match === null) return { problem: "is not an address of the form redis+unix:///path/of/socket?db=0" };
  const [, login = "", path = "", database = "0"] = match;
  const user = parseLogin(login);
  const socket = decode(path);
  if (user === null || socket === null)
    return { problem: "has a user, password or path that is not percent-encoded well" };
  const single = { kind: "single", isTls: false, nodes: [], masterName: "mymaster" } as const;
  return { address: { ...single, socket, ...user, database: Number(database) } };
}

function parseNode(node: string, kind: RedisAddress["kind"]): { host: string; port: number } | null {
  const found = NODE.exec(node);
  if (found === null) return null;
  const [, name, ipv6, port = kind === "sentinel" ? SENTINEL_PORT_DEFAULT : PORT_DEFAULT] = found;
  return { host: name ?? ipv6 ?? "", port: Number(port) };
}

function parseLogin(login: string): Pick<RedisAddress, "username" | "password"> | null {
  const colon = login.indexOf(":");
  const name = colon < 0 ? login : login.slice(0, colon);
  const word = colon < 0 ? "" : login.slice(colon + 1);
  const [username, password] = [decode(name), decode(word)];
  if (username === null || password === null) return null;
  return { username: username || null, password: password || null };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
