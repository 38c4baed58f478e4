import type { Command } from "commander";
import { dialectsPage, repairsPage } from "./repairs-page.ts";
import { errorsPage, failuresPage } from "./errors-page.ts";
import { optionsPage, settingsPage } from "./settings-page.ts";
import { createProgram } from "../../services/cli/create-program.ts";
import { code, pageHead, parseFiles, table, textOf, Visitor } from "./write-page.ts";

export const REFERENCE_FOLDER = "docs/reference";

/** Every generated page by its file name, each with what renders it. */
export const PAGES: Readonly<Record<string, () => string>> = {
  "settings.md": settingsPage,
  "options.md": optionsPage,
  "metrics.md": metricsPage,
  "failure-classes.md": failuresPage,
  "errors.md": errorsPage,
  "commands.md": commandsPage,
  "repairs.md": repairsPage,
  "dialects.md": dialectsPage,
};

/** Renders every command of `suture` with its arguments and options, from commander. */
function commandsPage(): string {
  return [
    pageHead("Commands", "Every command of `npx suture`. `--help` shows the same in the shell."),
    ...leavesOf(createProgram(), []).map(([path, command]) => section(path, command)),
  ].join("\n");
}

function leavesOf(command: Command, path: readonly string[]): [string[], Command][] {
  const own = [...path, command.name()];
  const children = command.commands.filter((child) => child.name() !== "help");
  // A command with options of its own does something, beside what its subcommands do.
  const isRun = children.length === 0 || (path.length > 0 && command.options.length > 0);
  const self: [string[], Command][] = isRun ? [[own, command]] : [];
  return [...self, ...children.flatMap((child) => leavesOf(child, own))];
}

function section(path: readonly string[], command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  const parts = [
    ...command.registeredArguments.map((argument) => [code(argument.name()), argument.description, ""]),
    ...command.options.map(({ flags, description, defaultValue }) => [
      code(flags),
      description,
      // A collection is empty at first.
      defaultValue === undefined || typeof defaultValue === "object" ? "" : code(String(defaultValue)),
    ]),
  ];
  const head = `## ${[...path, ...words].join(" ").replaceAll("<", "\\<")}\n\n${command.description()}\n`;
  return parts.length === 0 ? head : `${head}\n${table(["argument or option", "meaning", "default"], parts)}`;
}

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
function metricsPage(): string {
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
      CallExpression({ callee, arguments: given }) {
        const type = textOf(source, callee.type === "MemberExpression" ? callee.property : callee);
        if (!/^(?:counter|gauge|histogram)$/.test(type)) return;
        const [name = "", help = "", ...labels] = given.flatMap((one) =>
          [...textOf(source, one).matchAll(/"([^"]+)"/g)].map(([, word = ""]) => word),
        );
        if (!name.startsWith("suture_")) return;
        found.push({ name, type, labels: labels.map(code).join(" "), help, path: source.path });
      },
    }).visit(source.program);
    return found;
  });
}
