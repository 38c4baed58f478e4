import { isIPv6 } from "node:net";

const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Groups of an IPv6 address that name one network: its owner can use every address below them. */
const NETWORK_GROUPS = 4;

/**
 * Returns what limits for one client are counted by: an IPv4 address, or the /64 network of an IPv6 address.
 *
 * @param address - The remote address of a socket; undefined after it has closed.
 */
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
