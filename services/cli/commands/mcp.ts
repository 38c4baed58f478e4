import type { Command } from "commander";
import { SutureError } from "#shared/errors";
import { listMcpTools } from "#shared/mcp";
import type { McpServer } from "#shared/mcp";
import { serveMcpStdio } from "#shared/mcp/serve";
import { CommandRefusedError, NothingRunsError } from "../errors.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";

interface PinOptions {
  readonly url?: string;
  readonly header: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly json: boolean;
}

export function addMcp(program: Command): void {
  const mcp = program
    .command("mcp")
    .description("serve the gateway's teams as MCP tools over stdio, for clients that start a command");
  withConnection(mcp, "gateway").action(async (options: Connection) => {
    const gateway = findApi("gateway", options);
    await serveMcpStdio({
      url: `${gateway.url.replace(/\/$/, "")}/mcp`,
      key: gateway.key,
      stdin: process.stdin,
      stdout: process.stdout,
      onError: (error) => process.stderr.write(`${error.message}\n`),
    }).catch((error: unknown) => {
      throw error instanceof SutureError ? error : new NothingRunsError("gateway", gateway.url);
    });
  });
  mcp
    .command("pin [command...]")
    .description(
      "start a server, or ask the one at --url, and print a declaration of its tools with their hashes",
    )
    .option("--url <address>", "a server that speaks Streamable HTTP (default: the command is started)")
    .option("--header <name=value>", "header for --url; may be repeated", collect, {})
    .option("--env <name=value>", "variable for the command; may be repeated", collect, {})
    .option("--json", "print name, description and hash of each tool as JSON", false)
    .action(async (command: string[], options: PinOptions) => {
      const listed = await listMcpTools(serverOf(command, options), new AbortController().signal);
      const lines = options.json
        ? JSON.stringify(listed, null, 2)
        : listed.map(({ name, description, hash }) => declare(name, description, hash)).join("\n");
      process.stdout.write(`${lines}\n`);
    });
}

function serverOf([command, ...args]: string[], { url, header, env }: PinOptions): McpServer {
  if (url !== undefined && command === undefined) return { url, headers: header };
  if (url === undefined && command !== undefined) return { command, args, env };
  throw new CommandRefusedError("neither a command nor --url was given, or both", "Give one of them.");
}

/** One entry of `tools`: what a tool does is for its user to read, and to say. */
function declare(name: string, description: string, hash: string): string {
  // Written by a stranger: control characters would act on the terminal.
  const told = description.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").slice(0, 200);
  return `// ${told}\n${JSON.stringify(name)}: { hash: "${hash}", effect: "write", approval: true },`;
}

function collect(pair: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = pair.indexOf("=");
  if (at < 1)
    throw new CommandRefusedError(`${pair.slice(0, 64)} is not NAME=VALUE`, "Write it as NAME=VALUE.");
  return { ...before, [pair.slice(0, at)]: pair.slice(at + 1) };
}
