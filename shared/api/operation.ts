import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { ApiScope } from "#shared/config";

/** JSON of this form, content of this type that is sent unread, or no content (null). */
export type DeclaredAnswer = z.ZodType | string | null;

/** One operation of the API, apart from what carries it out. */
export interface DeclaredOperation {
  readonly method: "GET" | "POST" | "DELETE";
  /** `:name` stands for one part of the path. */
  readonly path: string;
  readonly summary: string;
  /** Scopes that may call it; null: anyone, with no key. */
  readonly scopes: readonly ApiScope[] | null;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  /** Absent: the operation takes no body. */
  readonly body?: z.ZodType;
  /** Default `json`. `stream`: the body is whatever type it says and is handed on unread. */
  readonly takes?: "json" | "stream";
  /** Answers that are no problems, by status; the lowest status is the usual one. */
  readonly answers: Readonly<Record<number, DeclaredAnswer>>;
  /** Data of one event, where the answer is a stream of server-sent events. */
  readonly each?: z.ZodType;
  /** Codes of the problems of its own, beside those that every operation may answer with. */
  readonly problems?: readonly string[];
  /** Name of a change in the record of what people did. Absent: nothing is recorded. */
  readonly audit?: string;
  /** False: secrets in its answer are not masked. */
  readonly isMasked?: false;
}

type Scopes = DeclaredOperation["scopes"];

/** Declares an operation that reads. @param scopes - Who may call it; null: anyone, with no key. */
export function get<Path extends string, Who extends Scopes>(path: Path, scopes: Who) {
  return { method: "GET", path, scopes } as const;
}

/** Declares an operation that changes something. @param audit - Its name in the record. Default: none is kept. */
export function post<Path extends string, Who extends Scopes>(path: Path, scopes: Who, audit?: string) {
  return { method: "POST", path, scopes, ...(audit !== undefined && { audit }) } as const;
}

/** A table of operations by id: camelCase, and OpenAPI's operationId. */
export type DeclaredApi = Readonly<Record<string, DeclaredOperation>>;

/** One request on its way to its operation: its parts checked, and beside them what its service adds (`Around`). */
export type Call<Around, Params = unknown, Query = unknown, Body = unknown> = Around & {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted when the client is gone or the service stops. */
  readonly signal: AbortSignal;
};

type Parsed<Declared, Part extends string> = Declared extends { readonly [One in Part]: infer Schema }
  ? z.output<Schema>
  : undefined;

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

type Given<Answer> = Answer extends z.ZodType ? DeepReadonly<z.output<Answer>> : FastifyReply;

/** The answer of an operation's handler; content that is not JSON, and no content, by the reply. */
export type AnswerOf<Declared extends DeclaredOperation> = Given<
  Declared["answers"][keyof Declared["answers"]]
>;

/** Carries an operation out; its parts and its answer have the types that are declared. */
export type HandlerOf<Declared extends DeclaredOperation, Around> = (
  call: Call<Around, Parsed<Declared, "params">, Parsed<Declared, "query">, Parsed<Declared, "body">>,
) => Promise<AnswerOf<Declared>>;

/** A handler for every operation; one that is missing does not compile. */
export type HandlersOf<Api extends DeclaredApi, Around> = {
  readonly [Id in keyof Api]: HandlerOf<Api[Id], Around>;
};

/** An operation with its handler, no longer told apart by type: what a service's routes hold. */
export type BoundOperation<Around> = DeclaredOperation & {
  readonly id: string;
  readonly handle: (call: Call<Around>) => Promise<unknown>;
};

export interface Route<Around> extends Pick<DeclaredOperation, "method" | "path"> {
  readonly operation: BoundOperation<Around>;
}

/** Joins declarations with their handlers, in the order of the declarations. */
export function bindOperations<Api extends DeclaredApi, Around>(
  api: Api,
  handlers: HandlersOf<Api, Around>,
): Route<Around>[] {
  return Object.entries(api).map(([id, declared]) => {
    // Safe: the service hands over what these same schemas gave, and undefined where there is none.
    const handle = handlers[id] as unknown as BoundOperation<Around>["handle"];
    return { method: declared.method, path: declared.path, operation: { ...declared, id, handle } };
  });
}

/** The status of an operation's usual answer. */
export function statusOf({ answers }: Pick<DeclaredOperation, "answers">): number {
  return Math.min(...Object.keys(answers).map(Number));
}
