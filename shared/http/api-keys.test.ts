import { expect, test } from "vitest";
import { digestOfSecret, loadConfig } from "#shared/config";
import { ApiKeys } from "./api-keys.ts";
import { UnauthorisedError } from "./errors.ts";

const SECRET = "a-secret-that-is-long-enough";
const keys = new ApiKeys(
  loadConfig({ SUTURE_API_KEYS: `ada:admin:${SECRET},vera:viewer:another-secret-long-enough` }).apiKeys ?? [],
);

test("finds the key of a request by its secret alone", () => {
  expect(keys.authorise(`Bearer ${SECRET}`, ["admin"]).name).toBe("ada");
  expect(keys.authorise(`bearer  ${SECRET}`, ["admin"]).name).toBe("ada");
});

test("refuses what is no key of ours, however it is written", () => {
  for (const header of [
    undefined,
    "",
    SECRET,
    "Bearer",
    "Bearer ",
    `Bearer ${SECRET} `,
    `Bearer ${SECRET}x`,
    `Bearer ${SECRET.slice(0, -1)}`,
    `Basic ${SECRET}`,
    `Bearer ${SECRET}, Bearer ${SECRET}`,
    `Bearer ${"x".repeat(5000)}`,
  ]) {
    expect(() => keys.authorise(header, ["admin"]), String(header).slice(0, 60)).toThrow(UnauthorisedError);
  }
});

test("knows keys by the digest of their secret while they are configured", () => {
  expect(keys.withDigest(digestOfSecret(SECRET))?.scope).toBe("admin");
  for (const digest of [SECRET, digestOfSecret("another"), "", "x".repeat(64)])
    expect(keys.withDigest(digest)).toBeNull();
});
