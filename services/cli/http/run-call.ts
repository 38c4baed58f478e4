import type { Command, Option } from "commander";
import type { AnswerTo, Call, Endpoint, Fields } from "./call.ts";
import { printJson, printListing, write } from "../print/print-answer.ts";
import { callEndpoint } from "./call-api.ts";
import { findApi } from "./find-api.ts";

/** Calls the operation of a command with what was typed, and prints the answer. */
export async function runCall<E extends Endpoint, Row>(
  asked: {
    readonly service: "gateway" | "console";
    readonly endpoint: E;
    readonly call: Call<E, Row>;
  },
  command: Command,
): Promise<void> {
  const { service, endpoint, call } = asked;
  const [subject = ""] = command.args;
  const fields = fieldsOf(command, call.options ?? []);
  const request = {
    params: Object.fromEntries(
      command.registeredArguments.map((argument, index) => [argument.name(), command.args[index] ?? ""]),
    ),
    fields: (await call.input?.(fields, subject)) ?? fields,
  };
  const answer: AnswerTo<E> = await callEndpoint(findApi(service, command.opts()), endpoint, request);
  const { list, say } = call;
  if (command.opts()["json"] === true || (list === undefined && say === undefined)) return printJson(answer);
  if (say !== undefined) write(say(answer, subject));
  if (list === undefined) return;
  printListing({ ...list, answer, rows: list.rows(answer) });
  const cursor = list.next?.(answer) ?? null;
  if (cursor !== null) write(`More with --cursor ${cursor}`);
}

/** The values of options, by the API's names. */
function fieldsOf(command: Command, options: readonly Option[]): Fields {
  return Object.fromEntries(
    options.map((option) => [
      option.name().replaceAll("-", "_"),
      command.getOptionValue(option.attributeName()),
    ]),
  );
}
