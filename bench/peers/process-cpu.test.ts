import { describe, expect, it } from "vitest";
import { parseStat, readTreeCpuMs } from "./process-cpu.ts";

describe("CPU time of a process", () => {
  it("is read from behind a name with spaces and brackets", () => {
    const line = "42 (odd ) name (x) S 7 42 42 0 -1 4194304 1 2 3 4 11 22 33 44 20 0 1 0 100 1 1";
    expect(parseStat(line)).toEqual({ parent: 7, ownMs: 330, endedChildrenMs: 770 });
  });

  it.skipIf(process.platform !== "linux")("counts what this process has used", () => {
    const { user, system } = process.cpuUsage();
    // The two are counted by different clocks, one of them in ticks of 10 ms.
    expect(readTreeCpuMs(process.pid)).toBeGreaterThan((user + system) / 2000);
  });

  it("cannot be told of a process that is not there", () => {
    expect(readTreeCpuMs(2 ** 30)).toBeNaN();
  });
});
