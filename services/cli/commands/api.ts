import type { Command } from "commander";
import { withConnection } from "./call-command.ts";

/** Adds the one command that reaches every operation of the API, also those that have none of their own. */
export function addApi(program: Command): void {
  const api = program.command("api").description("call any operation of the API, as the console does");
  const list = api
    .command("ls [word]")
    .alias("list")
    .description("list the operations, or those that have a word in their name, path or summary")
    .option("--json", "write JSON", false);
  list.action(async (word: string | undefined, options) =>
    (await import("../api/call-operation.ts")).listOperations(word ?? "", options),
  );
  const call = api
    .command("call <operation> [fields...]")
    .description("call one: name=text, name:=JSON, name=@file; the answer is JSON")
    .option("--gateway-url <url>", "address of the gateway (default: the one that runs here)");
  withConnection(call, "console").action(async (operation: string, fields: string[], options) =>
    (await import("../api/call-operation.ts")).callOperation(operation, fields, options),
  );
}
