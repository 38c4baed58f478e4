const PROTOCOLS = ["redis", "rediss", "redis-cluster", "rediss-cluster", "redis-sentinel"];
const NODE = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/;

/**
 * Says what is wrong with a Redis address, or null if nothing is. Takes one node (`redis://`, `rediss://`) or several,
 * separated by commas (`redis-cluster://`, `rediss-cluster://`, `redis-sentinel://…/<master name>`). The words never
 * repeat the address: it may hold a password.
 */
export function findRedisUrlProblem(url: string): string | null {
  const match = /^([a-z-]+):\/\/(?:[^@/]*@)?([^/?#@]*)(\/[^?#]*)?(?:\?[^#]*)?$/.exec(url);
  if (match === null) return "is not an address of the form redis://host:port";
  const [, protocol = "", nodes = "", path = ""] = match;
  if (!PROTOCOLS.includes(protocol)) return `has a protocol other than ${PROTOCOLS.join(", ")}`;
  const list = nodes.split(",");
  const isOneNode = protocol === "redis" || protocol === "rediss";
  if (isOneNode && list.length > 1)
    return "names several nodes, for which it must begin with redis-cluster:// or redis-sentinel://";
  for (const node of list) {
    const found = NODE.exec(node);
    if (found === null) return "has a node that is not host:port";
    if (Number(found[1] ?? 6379) > 65_535 || found[1] === "0") return "has a port outside 1 to 65535";
  }
  if (isOneNode && path !== "" && !/^\/\d*$/.test(path)) return "has a database that is not a number";
  return null;
}
