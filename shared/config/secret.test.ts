import { format, inspect } from "node:util";
import { expect, it } from "vitest";
import { Secret } from "./index.ts";

it("gives its value to who asks and to no way of printing", () => {
  const secret = new Secret("hush");
  expect(secret.reveal()).toBe("hush");
  const printed = [
    String(secret),
    JSON.stringify({ secret }),
    inspect({ a: { secret } }, { depth: 9, showHidden: true }),
    format("%s %j %o", secret, secret, secret),
  ];
  for (const text of printed) {
    expect(text).toContain("[secret]");
    expect(text).not.toContain("hush");
  }
});
