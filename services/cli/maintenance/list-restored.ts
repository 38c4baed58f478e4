import type { operations } from "#shared/api/client";
import { describeRestore } from "../commands/maintenance.ts";
import { CommandRefusedError } from "../errors.ts";
import { answerOf, openClient } from "../http/call-api.ts";
import { findApi } from "../http/find-api.ts";
import type { Connection } from "../http/find-api.ts";
import { printJson, write } from "../print/print-answer.ts";
import { readInput, readJson } from "../read-input.ts";

type ListOperation = operations["listRestored"];
type RestoredLine = ListOperation["requestBody"]["content"]["application/json"]["done"][number];

/** Lines that one request takes. */
const AT_ONCE = 500;

/** Sends a file of JSON lines to the console. Sending it again changes nothing. */
export async function listRestored(file: string, connection: Connection): Promise<void> {
  const lines = (await readInput(file)).split("\n").filter((line) => line.trim() !== "");
  // The console checks each line against its declaration.
  const done = lines.map((line, at) => readJson(line, `Line ${at + 1}`) as RestoredLine);
  if (done.length === 0)
    throw new CommandRefusedError(`${file} has no line.`, "Give one JSON object a line.");
  const client = openClient(findApi("console", connection));
  let answer = null;
  for (let from = 0; from < done.length; from += AT_ONCE)
    answer = await answerOf(
      client.POST("/v1/restore/list", { body: { done: done.slice(from, from + AT_ONCE) } }),
    );
  if (answer === null) return;
  if (connection.json === true) printJson(answer);
  else write(describeRestore(answer));
}
