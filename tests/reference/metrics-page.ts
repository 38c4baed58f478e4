import { code, pageHead, table } from "./markdown.ts";
import { parseFiles, textOf, Visitor } from "./parse.ts";

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly labels: string;
  readonly help: string;
  readonly path: string;
}

/** Written by the registry itself and declared nowhere else. */
const DROPPED: Metric = {
  name: "suture_metric_series_dropped_total",
  type: "counter",
  labels: "",
  help: "Label sets left out because a metric had too many.",
  path: "shared/telemetry",
};

/** Renders every Prometheus metric from the calls that declare it. */
export function metricsPage(): string {
  const rows = [...readMetrics(), DROPPED]
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, type, labels, help, path }) => [code(name), type, labels, help, code(path)]);
  const intro =
    "Every metric that Suture exports at `/metrics` for Prometheus. Which ones are worth an alert: " +
    "[telemetry](../operating/telemetry.md).";
  return [
    pageHead("Metrics", intro),
    table(["metric", "type", "labels", "meaning", "declared in"], rows),
  ].join("\n");
}

function readMetrics(): Metric[] {
  return parseFiles(["shared/**/*.ts", "services/**/*.ts"]).flatMap((source) => {
    const found: Metric[] = [];
    new Visitor({
      CallExpression({ callee, arguments: [options] }) {
        const type = callee.type === "MemberExpression" ? textOf(source, callee.property) : "";
        if (!/^(?:counter|gauge|histogram)$/.test(type) || options?.type !== "ObjectExpression") return;
        const fields = new Map(
          options.properties.flatMap((property) =>
            property.type === "Property"
              ? [[textOf(source, property.key), textOf(source, property.value)] as const]
              : [],
          ),
        );
        const text = (field: string): string => (fields.get(field) ?? "").replaceAll(/^"|"$/g, "");
        if (!text("name").startsWith("suture_")) return;
        const labels = [...(fields.get("labels") ?? "").matchAll(/"([^"]+)"/g)].map(([, label = ""]) =>
          code(label),
        );
        found.push({
          name: text("name"),
          type,
          labels: labels.join(" "),
          help: text("help"),
          path: source.path,
        });
      },
    }).visit(source.program);
    return found;
  });
}
