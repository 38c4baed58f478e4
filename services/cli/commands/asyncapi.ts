import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { describeEvents } from "#shared/api";
import { loadConfig } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import { write } from "../print/print-answer.ts";

/** Written from the files of the teams: nothing has to run for that. */
export function addAsyncApi(program: Command): void {
  program
    .command("asyncapi")
    .description("describe queues, events of runs and webhooks as AsyncAPI 3")
    .option("--out <file>", "write to this file (default: print)")
    .action(async ({ out }: { readonly out?: string }) => {
      const { teamsDir, prefix } = loadConfig();
      const text = JSON.stringify(describeEvents(await loadTeams(teamsDir), prefix), null, 2);
      if (out === undefined) write(text);
      else writeFileSync(out, `${text}\n`);
    });
}
