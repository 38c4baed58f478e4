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

  test("are slowed by ioredis itself, or this room need not prevent it", () => {
    expect(givenUpBy('await import("ioredis")')).toContain(STRINGS_ARE_SLOW);
  });
});
