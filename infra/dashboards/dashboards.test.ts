import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { dashboardText } from "./main.ts";

const root = dirname(dirname(import.meta.dirname));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Labels of each metric, as the reference lists them, which is held against the code. */
const METRICS = new Map(
  [...read("docs/reference/metrics.md").matchAll(/^\| `(suture_\w+)` \| (\w+) \| ([^|]*) \|/gm)].map(
    ([, name = "", kind = "", labels = ""]) =>
      [name, { kind, labels: [...labels.matchAll(/`(\w+)`/g)].map((match) => match[1]) }] as const,
  ),
);
/** Added by Prometheus itself. */
const OF_PROMETHEUS = ["le", "instance"];

/** Returns what an expression asks for that no service exports. */
function unknownIn(text: string): string[] {
  return [...text.matchAll(/(suture_\w+?)(_bucket|_count|_sum)?(?:\{(.*?)\})?(?=[[\s)]|$|==)/gm)].flatMap(
    ([whole, name = "", part, filter = ""]) => {
      const metric = METRICS.get(name);
      if (metric === undefined || (part === undefined) === (metric.kind === "histogram")) return whole;
      const labels = [...filter.matchAll(/(\w+)(?==|!)/g)].map((match) => match[1] ?? "");
      return labels
        .filter((label) => ![...metric.labels, ...OF_PROMETHEUS].includes(label))
        .map((label) => `${whole}: ${label}`);
    },
  );
}

describe("alerts and dashboard", () => {
  const rules = read("deploy/prometheus/rules.yml");
  const tests = read("deploy/prometheus/rules.test.yml");

  it("ask for metrics and labels that services export", () => {
    const exprs = [...dashboardText().matchAll(/"expr": (".*")/g)].map(([, text = ""]) =>
      String(JSON.parse(text)),
    );
    expect(exprs.length).toBeGreaterThan(20);
    expect(METRICS.size).toBeGreaterThan(30);
    expect(exprs.flatMap(unknownIn)).toEqual([]);
    const known = new Set([...METRICS.values()].flatMap(({ labels }) => labels).concat(OF_PROMETHEUS));
    for (const text of [...exprs, rules])
      for (const [, names = ""] of text.matchAll(/\bby \(([\w, ]+)\)/g))
        expect(names.split(", ").filter((name) => !known.has(name))).toEqual([]);
    expect(unknownIn(rules)).toEqual([]);
    expect(unknownIn("rate(suture_nothing[5m])")).toEqual(["suture_nothing"]);
    expect(unknownIn(`max(suture_runs{state="x"})`)).toEqual([`suture_runs{state="x"}: state`]);
  });

  it("is what the file says, so that somebody can import it as it is", () => {
    expect(read("deploy/grafana/suture.json")).toBe(dashboardText());
  });

  it("lead to a section of a page that says what to do, and have a test each", () => {
    const names = [...rules.matchAll(/- alert: (\w+)/g)].map((match) => match[1] ?? "");
    const runbooks = [...rules.matchAll(/runbook: (\S+)#(\S+)/g)];
    expect(runbooks).toHaveLength(names.length);
    for (const [, page = "", section = ""] of runbooks) {
      expect(existsSync(join(root, page)), page).toBe(true);
      const sections = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, head = ""]) =>
        head
          .toLowerCase()
          .replaceAll(/[^\w ]/g, "")
          .replaceAll(" ", "-"),
      );
      expect(sections).toContain(section);
    }
    for (const name of names) expect(tests.split(`alertname: ${name}`).length, name).toBe(3);
  });
});
