import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson } from "../print/print-answer.ts";

interface RevealOptions extends Connection {
  readonly why: string;
  readonly path?: string;
}

/** Adds `ward reveal`, which shows what is masked in a case; the console writes down who asked and why first. */
export function addRevealCase(ward: Command): void {
  const command = ward
    .command("reveal <case_id>")
    .description("show a case with what contracts mark as sensitive; who, when and why is written down first")
    .option("--path <pointer>", "only the values at this place of the message, such as /patient");
  withReason(command).action((id: string, options: RevealOptions) => revealCase(id, options));
}

/** Adds `runs reveal`, which shows a run's result, error and events as its owner sees them. */
export function addRevealRun(runs: Command): void {
  const command = runs
    .command("reveal <run_id>")
    .description("show what a run came to unmasked; who, when and why is written down first");
  withReason(command).action((id: string, options: RevealOptions) => revealRun(id, options));
}

function withReason(command: Command): Command {
  return withConnection(command.requiredOption("--why <reason>", "for whoever reads the audit"), "console");
}

async function revealCase(case_id: string, options: RevealOptions): Promise<void> {
  const body = { why: options.why, ...(options.path === undefined ? {} : { path: options.path }) };
  const request = { params: { path: { case_id } }, body };
  printJson(
    await answerOf(openClient(findApi("console", options)).POST("/v1/ward/cases/{case_id}/reveal", request)),
  );
}

async function revealRun(run_id: string, options: RevealOptions): Promise<void> {
  const request = { params: { path: { run_id } }, body: { why: options.why } };
  printJson(
    await answerOf(openClient(findApi("console", options)).POST("/v1/runs/{run_id}/reveal", request)),
  );
}
