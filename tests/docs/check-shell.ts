import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { parse } from "yaml";
import type { z } from "zod";
import { CONSOLE_API, GATEWAY_API } from "#shared/api";
import { VARIABLES } from "#shared/config";
import { temporaryFolder } from "#shared/testing";
import { createProgram } from "../../services/cli/create-program.ts";
import { OTHER_VARIABLES } from "../reference/settings-page.ts";

/** Programs of others that the pages use; what they take is theirs to say. */
const FOREIGN = new Set(["curl", "jq", "node", "cat", "cp", "chown", "redis-server", "mkdir", "kubectl"]);

const SCRIPTS: Readonly<Record<string, string>> = JSON.parse(readFileSync("package.json", "utf8")).scripts;
const COMPOSE_SERVICES = Object.keys(
  parse(readFileSync("docker-compose.yml", "utf8"), { maxAliasCount: -1 }).services,
);

/** Returns what is wrong with a block of shell: its line in the block, from 0, and a message. */
export function checkShell(code: string): { readonly line: number; readonly message: string }[] {
  return readCommands(code).flatMap((command) => {
    const unknown = command.variables.filter((name) => !isSetting(name));
    const messages = [...unknown.map((name) => `${name} is no setting`), findFault(command.words)];
    return messages.filter((message) => message !== null).map((message) => ({ line: command.line, message }));
  });
}

function findFault([program, ...args]: readonly string[]): string | null {
  if (program === "npx") return findNpxFault(args);
  if (program === "npm") return findNpmFault(args);
  if (program === "docker") return findComposeFault(args);
  if (program === "curl") return findRequestFault(args, { ...GATEWAY_API, ...CONSOLE_API });
  if (program === undefined || FOREIGN.has(program)) return null;
  return `${program} is no command that is known here`;
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

interface Declared {
  readonly method: string;
  readonly path: string;
  readonly body?: z.ZodType;
}

/** Options of curl that are followed by a value. */
const WITH_VALUE = new Set(["-H", "-X", "-d", "-o", "--data", "--header", "--request"]);

/** Returns what a call of `curl` asks for that the API does not declare: its operation, and its JSON body. */
function findRequestFault(args: readonly string[], api: Readonly<Record<string, Declared>>): string | null {
  const values = (name: string): string[] => args.filter((_one, index) => args[index - 1] === name);
  const address = args.find((one, index) => !one.startsWith("-") && !WITH_VALUE.has(args[index - 1] ?? ""));
  const path = /^(?:http:\/\/)?(?:localhost|127\.0\.0\.1):\d+(\/[^?]*)/.exec(address ?? "")?.[1];
  if (path === undefined || ["/openapi.json", "/docs"].includes(path)) return null;
  const [body] = values("-d");
  const method = values("-X")[0] ?? (body === undefined ? "GET" : "POST");
  const operation = Object.values(api).find((one) => one.method === method && fits(one.path, path));
  if (operation === undefined) return `${method} ${path}: no such operation`;
  if (body === undefined || operation.body === undefined) return null;
  const parsed = operation.body.safeParse(JSON.parse(body));
  return parsed.success ? null : `${method} ${path}: ${parsed.error.message}`;
}

function fits(declared: string, path: string): boolean {
  const [wanted, given] = [declared.split("/"), path.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(":") || part === given[index])
  );
}

/** A command that a block of shell runs, and the settings that are set for it. */
interface ShellCommand {
  readonly words: readonly string[];
  readonly variables: readonly string[];
  /** Line in the block, from 0. */
  readonly line: number;
}

/** Writes down every command that is not the shell's own, in place of running it, and at last what is still set. */
const RECORDER = `PATH=/nowhere; set -a
command_not_found_handle() {
  printf '%s\\0' "$((BASH_LINENO[0] - 7))" "$(compgen -e SUTURE_)" "$#" "$@" >&3
  echo x
}
trap command_not_found_handle EXIT
`;

/** Has bash read a block of `sh`, in an empty folder and with no program to be found. */
function readCommands(code: string): ShellCommand[] {
  const cwd = temporaryFolder();
  const { output } = spawnSync("bash", ["-c", RECORDER + code], {
    cwd,
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    encoding: "utf8",
    timeout: 10_000,
  });
  const fields = String(output[3]).split("\0").slice(0, -1);
  const commands: ShellCommand[] = [];
  while (fields.length > 0) {
    const [line = "", variables = "", count = ""] = fields.splice(0, 3);
    const names = variables.split("\n").filter((name) => name !== "");
    commands.push({ line: Number(line), variables: names, words: fields.splice(0, Number(count)) });
  }
  return commands;
}
