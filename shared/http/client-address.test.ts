import { expect, test } from "vitest";
import { clientAddressOf } from "./addresses.ts";

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
