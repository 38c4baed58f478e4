import type { Option } from "commander";
import type { paths } from "#shared/api/client";
import type { Column } from "../print/print-answer.ts";

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

/** The call of a command's operation, and the form of the answer: JSON with `--json`, else as `list` or `say` tell. */
export interface Call<E extends Endpoint, Row> {
  /** Each is the field of the query or the body that has its name in snake_case. */
  readonly options?: readonly Option[];
  /** Makes the query or the body where it is not the options' fields. */
  readonly input?: (fields: Fields, subject: string) => Fields | Promise<Fields>;
  readonly list?: {
    readonly rows: (answer: AnswerTo<E>) => readonly Row[];
    readonly columns: readonly Column<Row>[];
    /** Said where there are no rows. */
    readonly empty: string;
    /** Returns the value of `--cursor` for the next page. */
    readonly next?: (answer: AnswerTo<E>) => string | null;
  };
  /** Says it in a sentence. @param subject - The command's argument. */
  readonly say?: (answer: AnswerTo<E>, subject: string) => string;
}
