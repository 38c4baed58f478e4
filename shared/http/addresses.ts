import { lookup } from "node:dns";
import { BlockList, isIP, isIPv6 } from "node:net";
import type { LookupFunction } from "node:net";

/** Networks that no address of a stranger may lead to: this machine, private ones, special ones that may be routed. */
const INSIDE = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  INSIDE.addSubnet(network, bits, "ipv4");
// All of IPv6 but its public part, and in that part what carries IPv4 addresses.
const PUBLIC_V6 = new BlockList();
PUBLIC_V6.addSubnet("2000::", 3, "ipv6");
INSIDE.addSubnet("2002::", 16, "ipv6");
INSIDE.addSubnet("2001::", 32, "ipv6");

/** Returns true if an IP address is one that only this machine, or a network of its owner, can reach. */
export function isInside(address: string): boolean {
  if (isIP(address) === 4) return INSIDE.check(address, "ipv4");
  return !PUBLIC_V6.check(address, "ipv6") || INSIDE.check(address, "ipv6");
}

/**
 * Returns why a client's address must not be called; null if it may, with `lookupOutside`, as names may lead inside.
 * @param allowed - Hosts, with an unusual port, that may be inside, and be called without TLS.
 */
export function refusalOfAddress(address: string, allowed: ReadonlySet<string>): string | null {
  const url = URL.parse(address);
  if (url === null) return "is no absolute URL";
  if (url.username !== "" || url.password !== "") return "holds a password";
  if (allowed.has(url.host)) return /^https?:$/.test(url.protocol) ? null : "is no http address";
  if (url.protocol !== "https:") return "is not https";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && isInside(host)) return "is not a public address";
  return null;
}

/** Resolves a name for a connection, and refuses it if any of its addresses is inside: what was checked is called. */
export const lookupOutside: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "", 0);
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => isInside(address)))
      return callback(Object.assign(new Error("not a public address"), { code: "EINSIDE" }), "", 0);
    if (options.all === true) return callback(null, addresses);
    return callback(null, first.address, first.family);
  });
};

const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Groups of an IPv6 address that name one network: its owner can use every address below them. */
const NETWORK_GROUPS = 4;

/** Returns what one client's limits are counted by: its IPv4 address, or /64 network. @param address - Of a socket. */
export function clientAddressOf(address: string | undefined): string {
  if (address === undefined) return "";
  const ipv4 = IPV4_IN_IPV6.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 2 * NETWORK_GROUPS - groups.length - after.length);
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...after];
  return `${all.slice(0, NETWORK_GROUPS).join(":")}::/64`;
}
