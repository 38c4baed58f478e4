import type * as FastCheck from "fast-check";
import { vi } from "vitest";

/** Setup of every test file: properties have a fixed seed, so that one commit gives one answer. */

// A factory, so that test files without properties load neither fast-check nor what follows.
vi.mock("fast-check", async (importOriginal) => {
  const real = await importOriginal<typeof FastCheck>();
  const { seededAssert } = await import("./fuzz/seeded-assert.ts");
  const assert = seededAssert(real);
  return { ...real, assert, default: { ...real.default, assert } };
});
