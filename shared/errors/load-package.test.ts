import { expect, test } from "vitest";
import { loadPackage, PackageMissingError } from "./index.ts";

/** What Node itself says, without the test runner's own resolution. */
const refusal = (name: string, importer = "/app/index.js"): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from ${importer}`), {
    code: "ERR_MODULE_NOT_FOUND",
  });

test("gives what was loaded", async () => {
  expect(await loadPackage(["pg"], async () => 7)).toBe(7);
});

test("names the package to install", async () => {
  const loading = loadPackage(["pg"], () => Promise.reject(refusal("pg")));
  await expect(loading).rejects.toBeInstanceOf(PackageMissingError);
  await expect(loading).rejects.toMatchObject({ remedy: expect.stringContaining("npm install pg") });
});

test("passes on the fault of a package that is there", async () => {
  const broken = refusal("pg-types", "/app/node_modules/pg/index.js");
  await expect(loadPackage(["pg"], () => Promise.reject(broken))).rejects.toBe(broken);
});
