import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";

/** What V8 gave up while `script` ran in a process of its own, one line each. */
function givenUpBy(script: string): string {
  const options = ["--trace-protector-invalidation", "--input-type=module", "--eval", script];
  return execFileSync(process.execPath, options, { encoding: "utf8", timeout: 60_000 });
}

const STRINGS_ARE_SLOW = "StringWrapperToPrimitive";

describe("strings", () => {
  test.each(["#shared/store", "#shared/store/queues", "#shared/store/upkeep", "#shared/runtime"])(
    "stay fast with %s",
    (room) => {
      expect(givenUpBy(`await import("${room}")`)).not.toContain(STRINGS_ARE_SLOW);
    },
  );

  test.each([
    ["of another major version", 'require("ioredis/package.json").version = "7.0.0";'],
    ["that is loaded already", 'require("ioredis");'],
  ])("are slow with an ioredis %s, which is left as it is", (_, before) => {
    const script = `
      import { createRequire } from "node:module";
      const require = createRequire(import.meta.url);
      ${before}
      const { areStringsFast } = await import("#shared/store");
      const { VerbatimString } = require("ioredis/built/resp/verbatim-string.js");
      console.log(areStringsFast, new VerbatimString("txt", "a") instanceof String);`;
    expect(givenUpBy(script)).toContain("false true");
  });

  test("are slowed by ioredis itself, or this room need not prevent it", () => {
    expect(givenUpBy('await import("ioredis")')).toContain(STRINGS_ARE_SLOW);
  });
});
