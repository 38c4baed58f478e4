import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { armCrashPoint, crashPoint } from "./index.ts";

afterEach(() => armCrashPoint(null));

/** A small process that arms a point, passes it three times and says how often it came through. */
function runStruck(plan: string): { signal: string | null; stdout: string; stderr: string } {
  const code = `
    import { armCrashPoint, crashPoint } from "./shared/crash-points/index.ts";
    armCrashPoint(${JSON.stringify(plan)});
    for (let n = 1; n <= 3; n += 1) {
      crashPoint("W7:before_complete");
      console.log(n);
    }`;
  const options = { encoding: "utf8", timeout: 60_000 } as const;
  return spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", code], options);
}

describe("a crash point", () => {
  it("does nothing where nothing is armed", () => {
    expect(() => crashPoint("W7:before_complete")).not.toThrow();
  });

  it("strikes at the passing it was told, once, and at no other point", () => {
    armCrashPoint("W7:before_complete throw 2");
    crashPoint("W7:before_complete");
    crashPoint("W8:after_complete");
    expect(() => crashPoint("W7:before_complete")).toThrow(
      expect.objectContaining({ code: "CRASH_POINT_STRUCK", failureClass: "transient" }),
    );
    expect(() => crashPoint("W7:before_complete")).not.toThrow();
  });

  it("kills its process at once, and says so first", () => {
    const { signal, stdout, stderr } = runStruck("W7:before_complete kill 2");
    expect(signal).toBe("SIGKILL");
    expect(stdout).toBe("1\n");
    expect(stderr).toContain("crash point W7:before_complete strikes");
  });

  it.each([
    "W99:nowhere kill 1",
    "W7:before_complete explode 1",
    "W7:before_complete kill 0",
    "toString kill 1",
  ])("refuses %j", (plan) => {
    expect(() => armCrashPoint(plan)).toThrow(expect.objectContaining({ code: "CRASH_POINT_UNKNOWN" }));
  });
});
