import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROWS } from "./panels.ts";
import type { Panel } from "./panels.ts";

/** Grafana's grid: columns in all, and columns and rows of a panel. */
const [COLUMNS, WIDTH, HEIGHT] = [24, 8, 8];
const SOURCE = { type: "prometheus", uid: "${source}" };

const drawn = ([title, unit, ...lines]: Panel, id: number, at: { x: number; y: number }) => ({
  id,
  type: "timeseries",
  title,
  datasource: SOURCE,
  gridPos: { ...at, w: WIDTH, h: HEIGHT },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
  targets: lines.map(([expr, legendFormat], index) => ({
    refId: String.fromCodePoint(65 + index),
    datasource: SOURCE,
    expr,
    legendFormat,
  })),
});

/** Returns the dashboard, as Grafana imports and provisions it. */
export function dashboard() {
  const panels: object[] = [];
  let y = 0;
  for (const [title, own] of Object.entries(ROWS)) {
    panels.push({ id: panels.length + 1, type: "row", title, gridPos: { x: 0, y, w: COLUMNS, h: 1 } });
    y += 1;
    for (const [index, panel] of own.entries()) {
      const x = (index * WIDTH) % COLUMNS;
      panels.push(
        drawn(panel, panels.length + 1, { x, y: y + HEIGHT * Math.floor((index * WIDTH) / COLUMNS) }),
      );
    }
    y += HEIGHT * Math.ceil((own.length * WIDTH) / COLUMNS);
  }
  return {
    uid: "suture",
    title: "Suture",
    schemaVersion: 39,
    editable: true,
    refresh: "30s",
    time: { from: "now-3h", to: "now" },
    templating: { list: [{ name: "source", type: "datasource", query: "prometheus", label: "Source" }] },
    panels,
  };
}

const FILE = join(import.meta.dirname, "../../deploy/grafana/suture.json");

/** The text of the file. */
export const dashboardText = (): string => `${JSON.stringify(dashboard(), null, 2)}\n`;

if (import.meta.main) {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, dashboardText());
}
