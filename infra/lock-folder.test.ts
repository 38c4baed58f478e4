import { spawnSync } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { isSameProcess, processIdentity, withLockFolder } from "./lock-folder.mjs";

let folder: string;

beforeEach(() => {
  const dir = temporaryFolder();
  folder = join(dir, "deep", "lock");
});

describe("withLockFolder", () => {
  it("lets one in at a time, however many wait", async () => {
    let inside = 0;
    let insideMax = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      insideMax = Math.max(insideMax, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLockFolder({ folder, timeoutMs: 10_000 }, work)));
    expect(insideMax).toBe(1);
  });

  it("is taken over from a holder that died, by one waiter only", async () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "owner"), String(pid));
    const order: string[] = [];
    await Promise.all(
      ["a", "b", "c"].map((name) =>
        withLockFolder({ folder, timeoutMs: 10_000 }, async () => {
          order.push(`${name} in`);
          await new Promise((resolve) => setImmediate(resolve));
          order.push(`${name} out`);
        }),
      ),
    );
    expect(order).toHaveLength(6);
    for (let index = 0; index < order.length; index += 2)
      expect(order[index]?.[0]).toBe(order[index + 1]?.[0]);
  });

  it("is taken over when its holder died before it could sign", async () => {
    mkdirSync(folder, { recursive: true });
    utimesSync(folder, 1, 1);
    expect(await withLockFolder({ folder, timeoutMs: 2000 }, () => "done")).toBe("done");
  });

  it("stops waiting when it is told to", async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "owner"), processIdentity(process.pid));
    const stop = new AbortController();
    const waiting = withLockFolder({ folder, timeoutMs: 60_000, signal: stop.signal }, () => "done");
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
  });
});

describe("isSameProcess", () => {
  it("knows this process and no later one with the same id", () => {
    expect(isSameProcess(processIdentity(process.pid))).toBe(true);
    expect(isSameProcess(`${process.pid} another-boot 1`)).toBe(false);
  });

  it.each(["", "0", "-1", "x", "4194305"])("says no to %j", (identity) => {
    expect(isSameProcess(identity)).toBe(false);
  });
});
