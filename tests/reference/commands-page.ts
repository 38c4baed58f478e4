import type { Command } from "commander";
import { createProgram } from "../../services/cli/create-program.ts";
import { code, pageHead, table } from "./markdown.ts";

/** Renders every command of `suture` with its arguments and options, from commander. */
export function commandsPage(): string {
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
