import type { Command } from "commander";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, write } from "../print/print-answer.ts";

interface UndoOptions extends Connection {
  readonly why: string;
}

export function addUndo(ward: Command): void {
  const command = ward
    .command("undo <batch_id>")
    .description("undo a discard of a whole group: its cases wait for a person again")
    .requiredOption("--why <reason>", "for whoever reads the audit");
  withConnection(command, "console").action(async (batchId: string, options: UndoOptions) => {
    const request = { params: { path: { batch_id: batchId } }, body: { why: options.why } };
    const answer = await answerOf(
      openClient(findApi("console", options)).POST("/v1/ward/applies/{batch_id}/undo", request),
    );
    if (options.json === true) return printJson(answer);
    const { batch_id, total } = answer;
    write(`Batch ${batch_id} restores ${total} cases; see "suture ward applied ${batch_id}".`);
  });
}
