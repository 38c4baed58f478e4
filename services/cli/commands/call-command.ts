import type { Command, Option } from "commander";
import type { paths } from "#shared/api/client";
import type { Column } from "../print/print-answer.ts";
import { withConnection } from "./with-connection.ts";

type Method = "GET" | "POST";
type Path = keyof paths;

/** An operation of the API, as in `GET /v1/runs/{run_id}`. */
export type Endpoint = {
  [P in Path]: { [M in Method]: paths[P] extends Answering<M, unknown> ? `${M} ${P}` : never }[Method];
}[Path];

type Answering<M extends Method, Responses> = {
  readonly [_ in Lowercase<M>]: { readonly responses: Responses };
};

/** The JSON that an operation usually answers with. */
export type AnswerTo<E extends Endpoint> = E extends `${infer M extends Method} ${infer P extends Path}`
  ? paths[P] extends Answering<M, infer Responses>
    ? JsonIn<Responses>
    : never
  : never;

/** The JSON among the answers of an operation that are no problems. */
export type JsonIn<Responses> = Extract<
  Responses[keyof Responses & (200 | 201 | 202)],
  { readonly content: { readonly "application/json": unknown } }
>["content"]["application/json"];

export type Fields = Readonly<Record<string, unknown>>;

/** A command that calls one operation and prints its answer: JSON with `--json`, else as `list` or `say` tell. */
export interface CallCommand<E extends Endpoint, Row> {
  /** Its name and arguments; those are the path's parameters of the same name. */
  readonly name: string;
  readonly description: string;
  readonly call: E;
  /** Each is the field of the query or the body that has its name in snake_case. */
  readonly options?: readonly Option[];
  /** With this option it does that, and calls nothing. */
  readonly instead?: readonly [Option, () => Promise<void>];
  /** Makes the query or the body where it is not the options' fields. */
  readonly input?: (fields: Fields, subject: string) => Fields | Promise<Fields>;
  readonly list?: {
    readonly rows: (answer: AnswerTo<E>) => readonly Row[];
    readonly columns: readonly Column<Row>[];
    /** Said where there are no rows. */
    readonly empty: string;
    /** What `--cursor` takes for the next page. */
    readonly next?: (answer: AnswerTo<E>) => string | null;
  };
  /** Says it in a sentence. @param subject - The command's argument. */
  readonly say?: (answer: AnswerTo<E>, subject: string) => string;
  /** What `--json` prints where it is not the answer itself. */
  readonly json?: (answer: AnswerTo<E>) => unknown;
}

/** Returns what adds commands for operations of a service to a command. `ls` may be typed as `list` too. */
export function callsOf(parent: Command, service: "gateway" | "console") {
  return <E extends Endpoint, Row = never>(row: CallCommand<E, Row>): Command => {
    const command = parent.command(row.name).description(row.description);
    if (row.name === "ls") command.alias("list");
    for (const option of row.options ?? []) command.addOption(option);
    const [instead, run] = row.instead ?? [];
    if (instead !== undefined) command.addOption(instead);
    return withConnection(command, service).action(async () => {
      if (instead !== undefined && command.getOptionValue(instead.attributeName()) === true) return run?.();
      await (await import("../http/run-call.ts")).runCall(service, row, command);
    });
  };
}
