import type { Command, Option } from "commander";
import type { AnswerTo, CallCommand, Endpoint, Fields } from "../commands/call-command.ts";
import { printJson, printListing, write } from "../print/print-answer.ts";
import { callEndpoint } from "./call-api.ts";
import { findApi } from "./find-api.ts";

/** Calls the operation of a command with what was typed, and prints the answer. */
export async function runCall<E extends Endpoint, Row>(
  service: "gateway" | "console",
  row: CallCommand<E, Row>,
  command: Command,
): Promise<void> {
  const { json } = command.opts<{ readonly json: boolean }>();
  const [subject = ""] = command.args;
  const fields = fieldsOf(command, row.options ?? []);
  const request = {
    params: Object.fromEntries(
      command.registeredArguments.map((argument, index) => [argument.name(), command.args[index] ?? ""]),
    ),
    fields: (await row.input?.(fields, subject)) ?? fields,
  };
  const answer = await callEndpoint(findApi(service, command.opts()), row.call, request);
  if (json || (row.list === undefined && row.say === undefined))
    return printJson(row.json === undefined ? answer : row.json(answer));
  if (row.say !== undefined) write(row.say(answer, subject));
  if (row.list !== undefined) printList(row.list, answer);
}

function printList<E extends Endpoint, Row>(
  { rows, columns, empty, next }: NonNullable<CallCommand<E, Row>["list"]>,
  answer: AnswerTo<E>,
): void {
  printListing({ answer, rows: rows(answer), columns, empty }, {});
  const cursor = next?.(answer) ?? null;
  if (cursor !== null) write(`More with --cursor ${cursor}`);
}

/** The values of options, by the API's names. */
function fieldsOf(command: Command, options: readonly Option[]): Fields {
  return Object.fromEntries(
    options.map((option) => [
      (option.long ?? "").replace(/^--/, "").replaceAll("-", "_"),
      command.getOptionValue(option.attributeName()),
    ]),
  );
}
