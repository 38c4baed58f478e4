import { existsSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { parse } from "yaml";
import { CONSOLE_API, GATEWAY_API } from "#shared/api";
import { VARIABLES } from "#shared/config";
import { createProgram } from "../../services/cli/create-program.ts";
import type { ShellCommand } from "./shell-words.ts";
import { readCommands } from "./shell-words.ts";
import { OTHER_VARIABLES } from "../reference/settings-page.ts";
import { findRequestFault } from "./check-request.ts";

/** Programs of others that the pages use; what they take is theirs to say. */
const FOREIGN = new Set([
  "curl",
  "jq",
  "node",
  "echo",
  "cat",
  "cp",
  "chown",
  "export",
  "redis-server",
  "cd",
  "mkdir",
]);

const SCRIPTS: Readonly<Record<string, string>> = JSON.parse(readFileSync("package.json", "utf8")).scripts;
const COMPOSE_SERVICES = Object.keys(
  parse(readFileSync("docker-compose.yml", "utf8"), { maxAliasCount: -1 }).services,
);

/** Returns what is wrong with a block of shell: its line in the block, from 0, and a message. */
export function checkShell(code: string): { readonly line: number; readonly message: string }[] {
  return readCommands(code).flatMap((command) => {
    const unknown = command.variables.filter((name) => name.startsWith("SUTURE_") && !isSetting(name));
    const messages = [...unknown.map((name) => `${name} is no setting`), findFault(command)];
    return messages.filter((message) => message !== null).map((message) => ({ line: command.line, message }));
  });
}

function findFault({ words }: ShellCommand): string | null {
  const [program, ...args] = words;
  if (program === undefined) return null;
  if (program === "npx") return findNpxFault(args);
  if (program === "npm") return findNpmFault(args);
  if (program === "docker") return findComposeFault(args);
  if (program === "curl") return findRequestFault(args, { ...GATEWAY_API, ...CONSOLE_API });
  return FOREIGN.has(program) ? null : `${program} is no command that is known here`;
}

function findNpxFault([name, ...args]: readonly string[]): string | null {
  if (name === "suture") return findCliFault(createProgram(), args);
  if (name !== undefined && existsSync(`node_modules/.bin/${name}`)) return null;
  return name === "openapi-typescript" ? null : `npx ${String(name)}: no such program among the dependencies`;
}

/** Scripts of the package, and the commands that npm has itself. */
function findNpmFault([command = "", ...args]: readonly string[]): string | null {
  if (["i", "install", "ci"].includes(command)) return null;
  const script = command === "run" ? args.find((one) => !one.startsWith("-")) : command;
  return script !== undefined && Object.hasOwn(SCRIPTS, script)
    ? null
    : `npm ${String(script)}: no such script`;
}

/** The service of `docker compose exec gateway …` and its like; commands of ours that follow it. */
function findComposeFault([group, action = "", ...args]: readonly string[]): string | null {
  if (group !== "compose") return null;
  if (!["exec", "run", "restart", "logs"].includes(action)) return null;
  const [service, ...rest] = args.filter((one, index) => !one.startsWith("-") || index > 2);
  if (service === undefined || !COMPOSE_SERVICES.includes(service)) return `${String(service)} is no service`;
  const main = rest.indexOf("services/cli/main.ts");
  return main === -1 ? null : findCliFault(createProgram(), rest.slice(main + 1));
}

/** Walks to the command that the words name, as the CLI declares it, then checks its options and arguments. */
function findCliFault(command: Command, args: readonly string[]): string | null {
  const [name = "", ...rest] = args;
  const child = command.commands.find((one) => one.name() === name || one.aliases().includes(name));
  if (child !== undefined) return findCliFault(child, rest);
  if (command.commands.length > 0 && !name.startsWith("-"))
    return `suture ${command.name()}: no command ${name === "" ? "is named" : name}`;
  const separator = args.indexOf("--");
  const { operands, unknown } = command.parseOptions([...args]);
  if (unknown.some((one) => one.startsWith("-") && one !== "-" && one !== "--") && separator === -1)
    return `suture ${command.name()} has no option ${unknown.join(" ")}`;
  const declared = command.registeredArguments;
  const given = [...operands, ...unknown.filter((one) => !one.startsWith("--"))];
  const least = declared.filter(({ required }) => required).length;
  if (given.length < least) return `suture ${command.name()} needs ${least} arguments`;
  if (given.length > declared.length && !declared.some(({ variadic }) => variadic))
    return `suture ${command.name()} takes ${declared.length} arguments, not ${given.join(" ")}`;
  const missing = command.options.filter(
    ({ mandatory, long }) => mandatory && command.getOptionValueSource(camelCase(long ?? "")) === undefined,
  );
  return missing.length === 0
    ? null
    : `suture ${command.name()} needs ${missing.map(({ long }) => long).join(", ")}`;
}

function camelCase(option: string): string {
  return option.replace(/^--/, "").replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

function isSetting(name: string): boolean {
  return Object.hasOwn(VARIABLES, name) || Object.hasOwn(OTHER_VARIABLES, name);
}
