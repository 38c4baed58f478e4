import { describe, expect, it } from "vitest";
import { CpuProfiler, partOf, sumSelfTimes } from "./self-time.ts";

const ROOT = new URL("../../", import.meta.url).href;

const frame = (functionName: string, url: string) => ({
  functionName,
  url,
  scriptId: "1",
  lineNumber: 0,
  columnNumber: 0,
});

describe("the part that a function belongs to", () => {
  it.each([
    [`${ROOT}shared/store/ledger/ledger.ts`, "shared/store"],
    [`${ROOT}bench/peer/drive.ts`, "bench"],
    [`${ROOT}node_modules/bullmq/dist/esm/classes/job.js`, "bullmq"],
    ["file:///elsewhere/node_modules/a/node_modules/@scope/b/index.js", "@scope/b"],
    ["node:internal/crypto/hash", "node:internal/crypto"],
    ["node:net", "node:net"],
    ["", "native functions"],
  ])("of %s is %s", (url, part) => {
    expect(partOf({ url, functionName: "f" })).toBe(part);
  });
});

describe("self time", () => {
  it("is the sum of a function's samples wherever it was called from, without idle time", () => {
    const file = `${ROOT}shared/store/store.ts`;
    const nodes = [
      { id: 1, callFrame: frame("write", file) },
      { id: 2, callFrame: frame("(idle)", "") },
      { id: 3, callFrame: frame("write", file) },
      { id: 4, callFrame: frame("", file) },
    ];
    const taken = {
      nodes,
      startTime: 0,
      endTime: 10,
      samples: [1, 2, 3, 4, 1],
      timeDeltas: [1000, 9000, 500, 250, 500],
    };
    expect(sumSelfTimes(taken)).toEqual([
      { part: "shared/store", name: "write", ms: 2 },
      { part: "shared/store", name: "(anonymous)", ms: 0.25 },
    ]);
  });

  it("finds the function that works, in this very process", async () => {
    const profiler = new CpuProfiler();
    await profiler.start();
    const untilMs = performance.now() + 100;
    let spent = 0;
    // Works for as long as it takes to be seen, however slow the machine.
    (function workHard() {
      while (performance.now() < untilMs) spent += Math.sqrt(spent + 1);
    })();
    // Not the dearest on a machine that lets others work: what the process waits for is native.
    const found = (await profiler.stop()).find(({ name }) => name === "workHard");
    expect(found).toMatchObject({ part: "bench" });
    expect(found?.ms).toBeGreaterThan(0);
  });
});
