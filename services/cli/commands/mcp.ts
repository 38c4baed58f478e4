import type { Command } from "commander";
import { CommandRefusedError } from "../errors.ts";

export function addMcp(program: Command): void {
  program
    .command("mcp")
    .description("pin tools of MCP servers")
    .command("pin [command...]")
    .description(
      "start a server, or ask the one at --url, and print a declaration of its tools with their hashes",
    )
    .option("--url <address>", "a server that speaks Streamable HTTP (default: the command is started)")
    .option("--header <name=value>", "header for --url; may be repeated", collect, {})
    .option("--env <name=value>", "variable for the command; may be repeated", collect, {})
    .option("--json", "print name, description and hash of each tool as JSON", false)
    .action(async (command, options) => (await import("../mcp/mcp-commands.ts")).pinTools(command, options));
}

function collect(pair: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = pair.indexOf("=");
  if (at < 1)
    throw new CommandRefusedError(`${pair.slice(0, 64)} is not NAME=VALUE`, "Write it as NAME=VALUE.");
  return { ...before, [pair.slice(0, at)]: pair.slice(at + 1) };
}
