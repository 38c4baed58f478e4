import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ATTRIBUTES } from "#shared/telemetry";

/** Alerts are written by the names on this page. */

const page = readFileSync("docs/operating/telemetry.md", "utf8");
const code = globSync(["shared/**/*.ts", "services/**/*.ts"])
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

/** Metrics as they are declared, with their types and labels. */
function declaredMetrics(): Map<string, string> {
  const calls = code.matchAll(
    /\.(counter|gauge|histogram)\(\{\s*name: "([a-z_]+)",[^}]*?(?:labels: \[([^\]]*)\],?\s*)?\}\)/g,
  );
  return new Map(
    [...calls].map(([, type = "", name = "", labels = ""]) => [
      name,
      describeMetric(type, labels.replaceAll('"', "").split(", ")),
    ]),
  );
}

function describeMetric(type: string, labels: readonly string[]): string {
  return `${type} ${labels.filter((label) => label !== "").join(" ")}`.trim();
}

function rowsOf(section: string): string[][] {
  const text = page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...text.matchAll(/^\| (`.+) \|$/gm)].map(([, row = ""]) =>
    row.split("|").map((cell) => cell.trim()),
  );
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

describe("the page about telemetry", () => {
  it("lists every metric with its type and labels, and no other", () => {
    const declared = declaredMetrics();
    expect(declared.size).toBe(code.match(/name: "suture_[a-z_]+"/g)?.length);
    const listed = new Map(
      rowsOf("Metrics").map(([name = "", type = "", labels = ""]) => [
        namesIn(name)[0] ?? "",
        describeMetric(type.split(",")[0] ?? "", namesIn(labels.split(":")[0] ?? "")),
      ]),
    );
    // The registry's own, written by its `render`.
    declared.set("suture_metric_series_dropped_total", "counter");
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(declared));
  });

  it("lists every span attribute, and no other", () => {
    const listed = rowsOf("Traces").flatMap(([name = ""]) => namesIn(name));
    expect(listed.toSorted()).toEqual(Object.values(ATTRIBUTES).toSorted());
  });

  it("knows no attribute that no span has", () => {
    for (const name of Object.keys(ATTRIBUTES)) expect(code).toContain(`ATTRIBUTES.${name}`);
  });

  it("quotes lines of the log that the code writes", () => {
    const lines = rowsOf("Logs").map(([line = ""]) => namesIn(line)[0] ?? "");
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(code).toContain(`"${line}"`);
  });
});
