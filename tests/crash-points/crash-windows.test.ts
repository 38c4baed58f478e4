import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CRASH_POINTS, WINDOWS_ELSEWHERE } from "#shared/crash-points";

const FOLDER = "tests/crash-points";

function rows(): string[] {
  return Object.entries(CRASH_POINTS).map(
    ([name, { process, risk, closedBy }]) => `| \`${name}\` | ${process} | ${risk} | ${closedBy} |`,
  );
}

describe("the page of crash windows", () => {
  it("lists every crash point as the code has it, and no other", () => {
    const page = readFileSync("docs/crash-windows.md", "utf8");
    expect(page.split("\n").filter((line) => line.startsWith("| `W"))).toEqual(rows());
  });

  it("says of every window from W0 to W31 where it is shown closed", () => {
    const windows = [...Object.keys(CRASH_POINTS), ...Object.keys(WINDOWS_ELSEWHERE)].map(
      (name) => name.split(":")[0],
    );
    // W5, W6, W10, W12 and W21 were those of the outbox; W23 and W25 to W30 of the bridge and of the relay.
    const numbers = Array.from({ length: 32 }, (_, n) => n).filter(
      (n) => ![5, 6, 10, 12, 21, 23, 25, 26, 27, 28, 29, 30].includes(n),
    );
    expect(new Set(windows)).toEqual(new Set(numbers.map((n) => `W${n}`)));
    const page = readFileSync("docs/crash-windows.md", "utf8");
    for (const [window, shownBy] of Object.entries(WINDOWS_ELSEWHERE)) {
      expect(page).toContain(`${window}: ${shownBy}`);
    }
  });

  it("has a test that strikes each point", () => {
    const tests = readdirSync(FOLDER)
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => readFileSync(`${FOLDER}/${name}`, "utf8"))
      .join("\n");
    for (const name of Object.keys(CRASH_POINTS)) expect(tests).toContain(`"${name}"`);
  });

  it("names points that stand in the code, once each", () => {
    const files = readdirSync(".", { recursive: true, encoding: "utf8" }).filter(
      (path) =>
        /^(?:shared|services)\/.*\.ts$/.test(path) &&
        !path.endsWith(".test.ts") &&
        path !== "shared/crash-points/points.ts",
    );
    const code = files.map((path) => readFileSync(path, "utf8")).join("\n");
    for (const name of Object.keys(CRASH_POINTS)) {
      // Passed by name, or named by the decision that a settlement passes it for.
      expect(code.split(`"${name}"`).length - 1, name).toBe(1);
    }
  });
});
