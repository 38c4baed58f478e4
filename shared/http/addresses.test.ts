import { request } from "node:http";
import { expect, it, test } from "vitest";
import { clientAddressOf, isInside, lookupOutside, refusalOfAddress } from "./addresses.ts";

test.each([
  ["10.0.0.7", "10.0.0.7"],
  ["::ffff:10.0.0.7", "10.0.0.7"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1", "fe80:0:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  [undefined, ""],
])("counts %s as %s", (address, client) => {
  expect(clientAddressOf(address)).toBe(client);
});

it.each([
  "127.0.0.1",
  "127.255.0.9",
  "0.0.0.0",
  "10.1.2.3",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "100.64.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "fe80::1",
  "fd00::1",
  "ff02::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
])("%s is inside", (address) => expect(isInside(address)).toBe(true));

it.each(["1.1.1.1", "172.32.0.1", "8.8.8.8", "2606:4700::1111"])("%s is outside", (address) =>
  expect(isInside(address)).toBe(false),
);

it.each([
  "http://example.org/hook",
  "https://127.0.0.1/hook",
  "https://2130706433/hook",
  "https://0x7f.1/hook",
  "https://[::1]/hook",
  "https://[::ffff:10.0.0.1]/hook",
  "https://user:pass@example.org/hook",
  "file:///etc/passwd",
  "example.org",
  "",
])("%s may not be called", (address) => expect(refusalOfAddress(address, new Set())).not.toBeNull());

it("may be called where an operator allows the host, and only there", () => {
  const allowed = new Set(["push.internal:8443"]);
  expect(refusalOfAddress("http://push.internal:8443/x", allowed)).toBeNull();
  expect(refusalOfAddress("http://push.internal/x", allowed)).not.toBeNull();
  expect(refusalOfAddress("https://example.org/x", allowed)).toBeNull();
});

it("does not connect by a name that leads inside", async () => {
  const error = await new Promise<Error>((resolve) => {
    request("http://localhost:9/", { lookup: lookupOutside }).once("error", resolve).end();
  });
  expect(error).toMatchObject({ code: "EINSIDE" });
});
