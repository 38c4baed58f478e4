import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CRASH_POINTS } from "#shared/crash-points";

const FOLDER = "tests/crash-points";

describe("the page of crash windows", () => {
  const page = readFileSync("docs/crash-windows.md", "utf8");

  it("lists every crash point, and no other, with its process, its risk and what closes it", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| `W"));
    const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()));
    expect(cells.map(([, name]) => name)).toEqual(CRASH_POINTS.map((name) => `\`${name}\``));
    for (const row of cells) expect(row.slice(1, -1).filter((cell) => cell !== "")).toHaveLength(4);
  });

  it("says of every window from W0 to W32 where it is shown closed", () => {
    const elsewhere = [...page.matchAll(/^- (W\d+): \S/gm)].map(([, window]) => window);
    const windows = [...CRASH_POINTS.map((name) => name.split(":")[0]), ...elsewhere];
    // W5, W6, W10, W12 and W21 were those of the outbox; W23 and W25 to W30 of the bridge and of the
    // relay; W24 closed when a case and the leaving of the inbox became one script.
    const numbers = Array.from({ length: 33 }, (_, n) => n).filter(
      (n) => ![5, 6, 10, 12, 21, 23, 24, 25, 26, 27, 28, 29, 30].includes(n),
    );
    expect(new Set(windows)).toEqual(new Set(numbers.map((n) => `W${n}`)));
  });

  it("has a test that strikes each point", () => {
    const tests = readdirSync(FOLDER)
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => readFileSync(`${FOLDER}/${name}`, "utf8"))
      .join("\n");
    for (const name of CRASH_POINTS) expect(tests).toContain(`"${name}"`);
  });

  it("names points that stand in the code, once each", () => {
    const files = readdirSync(".", { recursive: true, encoding: "utf8" }).filter(
      (path) =>
        /^(?:shared|services)\/.*\.ts$/.test(path) &&
        !path.endsWith(".test.ts") &&
        path !== "shared/crash-points/points.ts",
    );
    const code = files.map((path) => readFileSync(path, "utf8")).join("\n");
    for (const name of CRASH_POINTS) {
      // Passed by name, or named by the decision that a settlement passes it for.
      expect(code.split(`"${name}"`).length - 1, name).toBe(1);
    }
  });
});
