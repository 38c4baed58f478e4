import { ModelMisconfiguredError, ModelRequestRefusedError } from "./errors.ts";
import { PARAMETERS } from "./request-form.ts";
import type { Lack, RefusedParameter, RequestForm } from "./request-form.ts";

/** A request as it was sent. */
export interface SentRequest {
  readonly form: RequestForm;
  /** Fields of its body. */
  readonly fields: readonly string[];
  /** The endpoint has to enforce the schema of the answer. */
  readonly isStrict: boolean;
}

/** Facts about an endpoint that explain a refusal. */
interface Explaining {
  /** It answered a request: of our form, therefore. */
  readonly hasAnswered: boolean;
  readonly isTaken: (lack: Lack) => boolean;
  readonly isSuspected: (lack: Lack) => boolean;
}

/** Parameters to leave out, in order, where an endpoint finds fault with a request and does not say with what. */
const GUESSES: readonly RefusedParameter[] = [
  // Nothing is lost of an answer that comes in one piece.
  "stream",
  "temperature",
  "reasoning_effort",
  "response_format",
  "tools",
  "max_completion_tokens",
  "max_tokens",
];

/** Lacks of a mode, as against those of a parameter. */
export const FORMS: readonly Lack[] = ["strict_schema", "loose_schema", "json_mode", "tool_call"];

/** Returns what an error shows to be lacking: null where nothing is left to leave out, undefined for other errors. */
export function readLack(error: unknown, sent: SentRequest, known: Explaining): Lack | null | undefined {
  if (error instanceof ModelMisconfiguredError && error.parameter !== null)
    return sent.fields.includes(error.parameter) ? lackOf(error.parameter, sent) : null;
  if (!(error instanceof ModelRequestRefusedError) || !error.isOfForm) return undefined;
  // An endpoint that answered finds fault with what it was not sent before, else with the input.
  const guesses = GUESSES.flatMap((one) => (sent.fields.includes(one) ? (lackOf(one, sent) ?? []) : []));
  const untried = guesses.filter((lack) => !known.isTaken(lack));
  // Of several that were left out before an answer came, the last one made the difference.
  return untried.findLast(known.isSuspected) ?? untried[0] ?? (known.hasAnswered ? undefined : null);
}

/** Returns what an endpoint that answered a request turns out not to lack. */
export function takenIn(sent: SentRequest): readonly Lack[] {
  const taken = PARAMETERS.flatMap((one) => (sent.fields.includes(one) ? (lackOf(one, sent) ?? []) : []));
  return taken.includes("strict_tools") ? [...taken, "tools"] : taken;
}

/** Returns the lack that the refusal of a parameter shows. Null: nothing can be sent instead. */
function lackOf(parameter: RefusedParameter, { form, fields, isStrict }: SentRequest): Lack | null {
  switch (parameter) {
    case "response_format":
      if (form.mode === "schema") return isStrict ? "strict_schema" : "loose_schema";
      return form.mode === "prompt" ? null : form.mode;
    case "tools":
      if (form.mode !== "prompt") return "tool_call";
      return form.takesStrictTools ? "strict_tools" : "tools";
    case "max_completion_tokens":
    case "max_tokens":
    case "temperature":
    case "reasoning_effort":
      return parameter;
    case "stream":
      return fields.includes("tools") ? "stream_tools" : "stream";
    case "stream_options":
      return "stream_usage";
    case "messages":
      return form.takesSystem ? "system_role" : null;
    case "model":
      return null;
    default:
      return parameter satisfies never;
  }
}

/** Believes a finding once two different requests show it: one may have had a fault of its own. */
export class Confirmations {
  private readonly first = new Map<string, string>();

  /** Returns true for a finding that some request showed. */
  has(finding: string): boolean {
    return this.first.has(finding);
  }

  /** Notes that a request shows a finding. Returns true once another request showed it, too. */
  note(finding: string, request: string): boolean {
    const first = this.first.get(finding);
    if (first === undefined) this.first.set(finding, request);
    return first !== undefined && first !== request;
  }
}

/** Questions in a row, answered without a schema's fields, after which the model is taken not to be shown schemas. */
const UNREAD_MAX = 3;

/**
 * Finds whether an endpoint shows a model the schemas that it takes. One bad answer makes a schema doubted (a repeat
 * spells it out); several in a row prove it, unless an answer once had the schema's fields.
 */
export class ShownSchemas {
  private readonly read = new Set<string>();
  private readonly unread = new Map<string, Set<string>>();

  /** Returns true for a schema without whose fields answers came, and none with them. */
  isDoubted(schema: string): boolean {
    return this.unread.has(schema);
  }

  /** Notes an answer to a question without the schema in words. Returns true once it is proved not to be shown. */
  note(schema: string, question: string, hasFields: boolean): boolean {
    if (hasFields) {
      this.read.add(schema);
      this.unread.delete(schema);
      return false;
    }
    if (this.read.has(schema)) return false;
    const unread = this.unread.get(schema) ?? new Set();
    this.unread.set(schema, unread.add(question));
    return unread.size >= UNREAD_MAX;
  }
}
