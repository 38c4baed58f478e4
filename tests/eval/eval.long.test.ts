import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { EvalSummary } from "../../services/cli/eval/measure-team.ts";
import { temporaryFolder } from "#shared/testing";

/** The whole command on the greeter team: its own Redis, its own processes, real runs. */

const MAIN = fileURLToPath(new URL("../../services/cli/main.ts", import.meta.url));
const TEAMS = fileURLToPath(new URL("teams", import.meta.url));
const TIMEOUT_MS = 120_000;

interface Options {
  readonly env?: object;
  /** Line at which it is to be struck. */
  readonly at?: RegExp;
  readonly signal?: "SIGINT" | "SIGKILL";
  readonly folder?: string;
}

/** Returns true if a process of this id lives. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function measure(args: readonly string[], { folder = temporaryFolder(), ...options }: Options = {}) {
  const json = join(folder, "summary.json");
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:SUTURE_|OPENAI_|REDIS_URL)/.test(name)),
  );
  const child = spawn(process.execPath, [MAIN, "eval", ...args, "--json", json], {
    env: { ...env, SUTURE_TEAMS: TEAMS, SUTURE_DATA_DIR: folder, ...options.env },
  });
  let [out, told] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += String(chunk)));
  child.stderr.on("data", (chunk: Buffer) => {
    // Struck once: a second signal ends it without a summary.
    const isStruck = options.at?.test(told) === true;
    told += String(chunk);
    if (!isStruck && options.at?.test(told) === true) child.kill(options.signal ?? "SIGINT");
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const summary: EvalSummary | null = existsSync(json) ? JSON.parse(readFileSync(json, "utf8")) : null;
  const left = existsSync(join(folder, "eval")) ? readdirSync(join(folder, "eval")) : [];
  return { code, out, told, summary, left };
}

describe("suture eval", () => {
  it(
    "measures a team and its variants by real runs, compares them, and says what a rehearsal's accuracy is worth",
    { timeout: TIMEOUT_MS },
    async () => {
      const { code, out, summary, left } = await measure(["greeter"]);
      expect(code, out).toBe(0);
      expect(summary).toMatchObject({
        rehearsal: true,
        cases: 14,
        trials: { planned: 40, done: 40 },
        stopped: null,
      });
      const [team, guess, always] = summary?.contenders ?? [];
      expect(team).toMatchObject({ name: "as-it-is", accuracy: { right: 13, of: 14 }, calls: { total: 14 } });
      expect(team?.fields).toMatchObject([
        { pointer: "/length", right: 13, of: 13 },
        { pointer: "/mood", right: 12, of: 13 },
      ]);
      expect(team?.wrong).toEqual([
        { case: "irony", pointer: "/mood", expected: "cross", given: "glad", failed: false },
      ]);
      // The case that expects a length alone tells nothing about those that give none.
      expect(guess).toMatchObject({ accuracy: { right: 12, of: 13 }, failures: [] });
      expect(always).toMatchObject({
        accuracy: { right: 7, of: 13 },
        calls: { total: 0 },
        cost: { total: 0 },
      });
      expect(summary?.comparisons).toMatchObject([
        { first: "guess", second: "as-it-is", accuracy: { cases: 13, difference: 0, isSeen: false } },
        { first: "always-cross", second: "guess", accuracy: { cases: 13, onlyFirst: 1, onlySecond: 6 } },
      ]);
      expect(out).toContain("no difference seen");
      expect(out).toContain("the accuracy means nothing about a model");
      expect(left).toEqual([]);
    },
  );

  it("begins no further run once the money is spent, and says so", { timeout: TIMEOUT_MS }, async () => {
    const { code, out, summary } = await measure(["greeter", "--variant", "guess", "--cost-max", "0.00001"]);
    expect(code).toBe(1);
    expect(summary?.stopped).toBe("budget");
    expect(summary?.trials.done).toBeGreaterThan(0);
    expect(summary?.trials.done).toBeLessThan(13);
    expect(out).toMatch(/STOPPED \(budget\)/);
  });

  it(
    "takes away what one that was killed left behind, its Redis as well",
    { timeout: TIMEOUT_MS },
    async () => {
      const folder = temporaryFolder();
      const killed = await measure(["greeter"], { folder, at: /REHEARSAL:/, signal: "SIGKILL" });
      expect(killed.left).toHaveLength(1);
      const pid = Number(/Private Redis at \S+, process (\d+)/.exec(killed.told)?.[1]);
      expect(isThere(pid)).toBe(true);
      const { code, left } = await measure(["greeter", "--limit", "1"], { folder });
      expect(code).toBe(0);
      expect(left).toEqual([]);
      // It was told to end, and has its data to let go of first.
      await expect.poll(() => isThere(pid)).toBe(false);
    },
  );

  it.each([
    [["nobody"], /There is no team nobody/],
    [["greeter", "--variant", "better"], /has no variant better.*as-it-is, guess, always-cross/],
    [["greeter", "--cost-max", "0"], /number above 0/],
  ])("refuses %j and starts nothing", async (args, message) => {
    const { code, told, summary } = await measure(args);
    expect(code).toBe(2);
    expect(told).toMatch(message);
    expect(summary).toBeNull();
  });
});
