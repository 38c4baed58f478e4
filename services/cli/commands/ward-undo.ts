import type { Command } from "commander";
import { z } from "zod";
import { callApi } from "../http/call-api.ts";
import { findApi, withConnection } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, write } from "../print/print-answer.ts";

const undoSchema = z.looseObject({ batch_id: z.string(), total: z.number() });

interface UndoOptions extends Connection {
  readonly why: string;
}

export function addUndo(ward: Command): void {
  const command = ward
    .command("undo <batch_id>")
    .description("undo a discard of a whole group: its cases wait for a person again")
    .requiredOption("--why <reason>", "for whoever reads the audit");
  withConnection(command, "console").action(async (batchId: string, options: UndoOptions) => {
    const answer = await callApi(findApi("console", options), {
      method: "POST",
      path: `/api/v1/ward/applies/${encodeURIComponent(batchId)}/undo`,
      body: { why: options.why },
    });
    if (options.json === true) return printJson(answer);
    const { batch_id, total } = undoSchema.parse(answer);
    write(`Batch ${batch_id} restores ${total} cases; see "suture ward applied ${batch_id}".`);
  });
}
