import type { Contract, ContractRegistry } from "#shared/contract";
import type { JsonSchema } from "#shared/json";
import { literalsOf } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import { describeForLog } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";
import { hasSensitive, mapSensitive, sensitiveValues } from "./sensitive/map-sensitive.ts";
import { Concealer } from "./sensitive/concealer.ts";

/** Masks the parts of a run that may contain sensitive values. */
export interface RunMask {
  /** True when nothing is masked: for the run's owner, or without marked contracts. */
  readonly isClear: boolean;
  /** Masks a payload by its contract; the whole payload of an unknown contract. */
  readonly payload: (payload: unknown, contractId: string) => unknown;
  /** Masks a text that has no contract, such as the user's own words. */
  readonly text: (text: string) => string;
  /** Masks text that says something about a payload: the payload's marked values in it. */
  readonly about: (text: string, payload: unknown, contractId: string) => string;
  /** Masks the member names in JSON pointers that no contract declares. */
  readonly paths: (paths: readonly string[]) => readonly string[];
  /** Masks a value that has no contract, whole. */
  readonly unknown: (value: unknown) => unknown;
  /** Masks the whole result, whatever its contract, and the error except for class and code. */
  readonly record: (record: RunRecord) => RunRecord;
  /** Keeps what Suture itself wrote into an event's detail: numbers, ids, codes, times. */
  readonly event: (event: RunEvent) => RunEvent;
}

/** Changes nothing. */
export const NO_MASK: RunMask = {
  isClear: true,
  payload: (payload) => payload,
  text: (text) => text,
  about: (text) => text,
  paths: (paths) => paths,
  unknown: (value) => value,
  record: (record) => record,
  event: (event) => event,
};

/** Members of an event's detail that no agent, model or client writes. Others are masked. */
const OWN_DETAILS = new Set(
  [
    "accepted_at,as,attempt,batch_id,branch,branches,by,bytes,case_id,class,cluster,code,contract,cost,delay_ms,end,fan_out,from",
    "healed,hop,message_id,mime_type,model,ms,next,procedure,sent_at,sha256,status,team,to,tokens,trace_id",
  ].flatMap((line) => line.split(",")),
);

interface MaskedTeam {
  readonly contracts: ContractRegistry;
  /** With the contract of its results. Default: none. */
  readonly options?: { readonly result?: Contract };
}

/** @param team - Undefined for an unknown team: everything is masked. */
export function maskForTeam(team: MaskedTeam | undefined): RunMask {
  const { result } = team?.options ?? {};
  const contracts = team && [...team.contracts.all(), ...(result === undefined ? [] : [result])];
  const schemas = contracts?.map(({ jsonSchema }) => jsonSchema);
  if (schemas?.every((schema) => !hasSensitive(schema)) === true) return NO_MASK;
  const names = new Set(schemas?.flatMap((schema) => [...literalsOf(schema).names]));
  return {
    isClear: false,
    payload: (payload, contractId) => {
      const schema = team?.contracts.find(contractId)?.jsonSchema;
      // Payloads are JSON.
      if (schema === undefined) return SENSITIVE_MASK;
      const value = payload as JsonValue;
      return concealIn([value], schema).payload(value);
    },
    text: (text) => (text === "" ? text : SENSITIVE_MASK),
    about: (text, payload, contractId) => {
      const schema = team?.contracts.find(contractId)?.jsonSchema;
      // Payloads are JSON; a text stays a text.
      return schema === undefined
        ? SENSITIVE_MASK
        : (concealIn([payload as JsonValue], schema).elsewhere(text) as string);
    },
    paths: (paths) => paths.map((path) => maskPath(path, names)),
    unknown: (value) => (value === null || value === undefined ? value : SENSITIVE_MASK),
    record: (record) => ({
      ...record,
      result: record.result === null || record.result === undefined ? record.result : SENSITIVE_MASK,
      error: maskError(record.error),
    }),
    event: (event) => ({ ...event, detail: maskDetail(event.detail, names) }),
  };
}

function maskError(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return error === null ? null : SENSITIVE_MASK;
  return Object.fromEntries(
    Object.entries(error).map(([name, value]: [string, unknown]) => [
      name,
      name === "class" || name === "code" ? value : SENSITIVE_MASK,
    ]),
  );
}

function maskDetail(detail: RunEvent["detail"], names: ReadonlySet<string>): RunEvent["detail"] {
  return Object.fromEntries(
    Object.entries(detail).map(([name, value]) => {
      if (name === "paths") return [name, maskPaths(value, names)];
      return [name, OWN_DETAILS.has(name) || value === null ? value : SENSITIVE_MASK];
    }),
  );
}

/** A pointer contains member names, which may be personal data: `/notes/Ada`. */
function maskPaths(paths: unknown, names: ReadonlySet<string>): unknown {
  if (!Array.isArray(paths)) return SENSITIVE_MASK;
  return paths.map((path: unknown) => maskPath(String(path), names));
}

function maskPath(path: string, names: ReadonlySet<string>): string {
  return path
    .split("/")
    .map((part) => (part === "" || /^\d+$/.test(part) || names.has(part) ? part : SENSITIVE_MASK))
    .join("/");
}

export const SENSITIVE_MASK = "[sensitive]";

/** The parts of a payload that are shown nowhere, in any form. */
export interface Concealment {
  /** For values of the payload's own contract. */
  readonly payload: (value: JsonValue) => JsonValue;
  /** For data around the payload. */
  readonly beside: (value: unknown) => unknown;
  /** For what is said about the payload. */
  readonly elsewhere: (value: unknown) => unknown;
}

/**
 * Conceals what a contract marks in values of its own, and copies of these anywhere else.
 * @param more - Data of other contracts whose marked values are copied too. Default: none.
 * @param shown - Marked values that stay. Default: none.
 */
export function concealIn(
  values: readonly JsonValue[],
  schema: JsonSchema,
  more: readonly { readonly value: JsonValue; readonly schema: JsonSchema }[] = [],
  shown: ReadonlySet<string | number> = new Set(),
): Concealment {
  const marked = [...values.map((value) => ({ value, schema })), ...more].flatMap((one) =>
    sensitiveValues(one.value, one.schema),
  );
  const hidden = marked.filter((one) => !shown.has(one));
  const mark = (): string => SENSITIVE_MASK;
  const copies = new Concealer(hidden, mark);
  const about = new Concealer(hidden, mark, [schema, ...more.map((one) => one.schema)]);
  const maskOne = (one: string | number): string | number => (shown.has(one) ? one : SENSITIVE_MASK);
  return {
    payload: (value) => mapSensitive(value, schema, maskOne, (one) => copies.ofScalar(one)),
    beside: (value) => copies.inValue(value),
    elsewhere: (value) => about.inValue(value),
  };
}

/** Methods of a logger that write a line, or make a logger of more fields. */
const WRITES: ReadonlySet<unknown> = new Set("fatal error warn info debug trace child".split(" "));

/** Returns a logger whose lines, and its children's, pass through `conceal`, which keeps the shape of what it gets. */
export function concealingLogger(logger: Logger, conceal: (value: unknown) => unknown): Logger {
  return new Proxy(logger, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function" || !WRITES.has(name)) return member;
      return (...args: unknown[]) => {
        const made: unknown = Reflect.apply(
          member,
          target,
          args.map((one) => concealed(one, conceal)),
        );
        // A child is a logger.
        return name === "child" ? concealingLogger(made as Logger, conceal) : made;
      };
    },
  });
}

/** Errors are serialised first, because their text is not a plain value. */
function concealed(one: unknown, conceal: (value: unknown) => unknown): unknown {
  if (typeof one !== "object" || one === null) return conceal(one);
  return conceal(describeForLog(one instanceof Error ? { err: one } : { ...one }));
}
