import { now } from "#shared/clock";
import { isRecord } from "#shared/json";
import { ModelMisconfiguredError, ModelRequestRefusedError } from "./errors.ts";
import type { RefusedParameter } from "./errors.ts";
import type { ModelCall } from "./model-client.ts";
import type { Completion } from "./read-completion.ts";
import { formWithout } from "./request-form.ts";
import type { AnswerMode, Lack, RequestForm } from "./request-form.ts";
import { ShownSchemas } from "./shown-schemas.ts";
import { toStrictSchema } from "./strict-schema.ts";

/** Something that was found of an endpoint: it is left out of what is sent from now on. */
export interface FoundLack {
  readonly model: string;
  readonly lack: Lack;
  /** The schema alone that is concerned; null: every request to the model. */
  readonly schema: string | null;
  /** How the form of such an answer is asked for now. */
  readonly mode: AnswerMode;
}

type Found = Pick<FoundLack, "lack" | "schema">;

type AskedCall = Pick<ModelCall, "schemaName" | "jsonSchema" | "answersIn" | "reask" | "tools">;

interface Known {
  readonly lacks: Set<Lack>;
  readonly lacksOf: Map<string, Set<Lack>>;
  /** Modes by which an answer came: where one is refused later, that is because of the schema. */
  readonly proved: Set<Lack>;
  /** Whether the model is shown the schemas that its endpoint takes. */
  readonly shown: ShownSchemas;
  /** Settles when the call that tries other forms has ended; null while none does. */
  search: Promise<void> | null;
  /** Until then no other form is tried, in epoch ms: all were refused. */
  hopelessUntilMs: number;
  /** It takes requests of our form: one that is refused without a reason has its own. */
  hasAnswered: boolean;
  /** It answered a request with tools. */
  hasTakenTools: boolean;
  /** It answered a request with a form of the answer: those with tools have none. */
  hasTakenFormat: boolean;
}

/**
 * An endpoint that refused every form is asked in one alone for this long, in ms: a setting is wrong, and probes are to
 * be single requests.
 */
const HOPELESS_MS = 60_000;

/**
 * Finds the form of requests that an endpoint takes, for each model: a strict schema, else JSON mode, else a tool call,
 * else the prompt, and of the parameters those that it does not refuse. Learns from refusals, which cost nothing, and
 * from answers; remembers for as long as the process lives.
 */
export class Negotiation {
  private readonly known = new Map<string, Known>();
  private readonly onFound: (found: FoundLack) => void;

  constructor(onFound: (found: FoundLack) => void) {
    this.onFound = onFound;
  }

  /** Starts a call, which is sent again in another form for as long as its endpoint refuses a part of it. */
  start(model: string, call: AskedCall): NegotiatedCall {
    const known = this.known.get(model) ?? {
      lacks: new Set(),
      lacksOf: new Map(),
      proved: new Set(),
      shown: new ShownSchemas(),
      search: null,
      hopelessUntilMs: 0,
      hasAnswered: false,
      hasTakenTools: false,
      hasTakenFormat: false,
    };
    this.known.set(model, known);
    return new NegotiatedCall(known, call, ({ lack, schema }) => this.keep(model, call, { lack, schema }));
  }

  private keep(model: string, call: AskedCall, { lack, schema }: Found): void {
    const known = this.known.get(model);
    if (known === undefined) return;
    const into = schema === null ? known.lacks : (known.lacksOf.get(schema) ?? new Set());
    if (into.has(lack)) return;
    into.add(lack);
    if (schema !== null) known.lacksOf.set(schema, into);
    this.onFound({ model, lack, schema, mode: this.start(model, call).form.mode });
  }
}

/**
 * One call. What is found is kept once an answer came: an endpoint that refuses everything teaches nothing. One call at
 * a time tries other forms; further ones that are refused wait for what it finds.
 */
export class NegotiatedCall {
  private readonly known: Known;
  private readonly call: AskedCall;
  private readonly keep: (found: Found) => void;
  private readonly isStrict: boolean;
  private readonly found: Found[] = [];
  private endSearch: (() => void) | null = null;

  constructor(known: Known, call: AskedCall, keep: (found: Found) => void) {
    this.known = known;
    this.call = call;
    this.keep = keep;
    this.isStrict = toStrictSchema(call.jsonSchema).strict;
  }

  /** The form to send next. */
  get form(): RequestForm {
    const { lacks, lacksOf } = this.known;
    const own = lacksOf.get(this.call.schemaName) ?? [];
    const form = formWithout(
      new Set([...lacks, ...own, ...this.found.map(({ lack }) => lack)]),
      this.isStrict,
    );
    const { reask, schemaName, tools } = this.call;
    if (reask !== undefined && form.mode === "schema" && this.known.shown.isDoubted(schemaName))
      return { ...form, isSpelledOut: true };
    // Beside a schema of the answer some endpoints refuse tools (Gemini), and some models call none (vLLM).
    return tools === undefined ? form : { ...form, mode: "prompt", isSpelledOut: true };
  }

  /**
   * Returns true when a call that failed is to be sent again: a part of it was refused, and the form is another one
   * now.
   *
   * @param sent - The form that failed, with the request's fields.
   */
  async isToBeSentAgain(
    failure: unknown,
    sent: { readonly form: RequestForm; readonly fields: readonly string[]; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const { form, signal } = sent;
    const lack = this.lackIn(failure, sent);
    if (lack === undefined) return false;
    if (lack === null) {
      if (this.endSearch !== null) this.known.hopelessUntilMs = now() + HOPELESS_MS;
      return false;
    }
    while (this.endSearch === null && this.known.search !== null) {
      await Promise.race([this.known.search, whenAborted(signal)]);
      if (signal.aborted) return false;
      if (!isSame(this.form, form)) return true;
    }
    if (now() < this.known.hopelessUntilMs) return false;
    this.beginSearch();
    // What answered others is not lacking: this schema alone is more than the endpoint takes.
    const isOfSchema = FORMS.includes(lack) && this.known.proved.has(lack);
    this.found.push({ lack, schema: isOfSchema ? this.call.schemaName : null });
    return true;
  }

  /** What an error shows to be lacking: null where nothing is left to leave out, undefined for other errors. */
  private lackIn(
    error: unknown,
    { form, fields }: { readonly form: RequestForm; readonly fields: readonly string[] },
  ): Lack | null | undefined {
    if (error instanceof ModelMisconfiguredError && error.parameter !== null)
      return fields.includes(error.parameter) ? this.lackOf(error.parameter, form, fields) : null;
    const isUnnamed = error instanceof ModelRequestRefusedError && error.isOfForm;
    if (!isUnnamed) return undefined;
    // An endpoint that answered finds fault with what it was not sent before.
    if (this.known.hasAnswered && fields.includes("response_format") && !this.known.hasTakenFormat)
      return lackOf("response_format", form, this.isStrict);
    if (this.known.hasAnswered)
      return fields.includes("tools") && form.mode === "prompt" && !this.known.hasTakenTools
        ? this.lackOf("tools", form, fields)
        : undefined;
    const named = GUESSES.find((one) => fields.includes(one));
    return named === undefined ? null : this.lackOf(named, form, fields);
  }

  private lackOf(parameter: RefusedParameter, form: RequestForm, fields: readonly string[]): Lack | null {
    if (parameter === "stream") return fields.includes("tools") ? "stream_tools" : "stream";
    return lackOf(parameter, form, this.isStrict);
  }

  private beginSearch(): void {
    if (this.endSearch !== null) return;
    this.known.search = new Promise((resolve) => (this.endSearch = resolve));
  }

  /** To be called when the call is over, however it ended. */
  end(): void {
    if (this.endSearch === null) return;
    this.known.search = null;
    this.endSearch();
  }

  /** Learns from an answer that was asked for as a stream. @param pieces - In which it came; 0 for none. */
  streamed(completion: Completion, pieces: number): void {
    if (pieces === 0) this.keep({ lack: "stream", schema: null });
    else if (typeof completion.usage !== "object") this.keep({ lack: "stream_usage", schema: null });
    // An answer of nothing at all: the calls that it is made of were not streamed.
    const isEmpty = completion.text === "" && completion.calls.length === 0;
    if (pieces > 0 && isEmpty && completion.finish === "stop" && this.call.tools !== undefined)
      this.keep({ lack: "stream_tools", schema: null });
  }

  /** Keeps what was found, and learns from the answer whether what was sent was read. @param limit - Tokens allowed. */
  answered(sent: RequestForm, completion: Completion, limit = Infinity): void {
    this.known.hopelessUntilMs = 0;
    this.known.hasAnswered = true;
    this.known.hasTakenTools ||= this.call.tools !== undefined && sent.toolsBy === "calls";
    this.known.hasTakenFormat ||= sent.mode !== "prompt";
    for (const one of this.found) this.keep(one);
    const { answersIn } = this.call;
    if (sent.limit === "max_completion_tokens" && tokensOf(completion) > limit)
      this.keep({ lack: "max_completion_tokens", schema: null });
    if (answersIn === "xml" || sent.mode === "prompt") return;
    const names = requiredNames(this.call);
    if (completion.finish !== "stop" || completion.text === "" || names.length === 0) return;
    // A model that was shown the schema names its fields; one that was not may, where its instructions do.
    const isRead =
      names.every((name) => completion.text.includes(JSON.stringify(name))) || holds(completion.text, names);
    const { schemaName } = this.call;
    if (isRead) this.known.proved.add(formLack(sent.mode, this.isStrict));
    if (sent.mode !== "schema" || sent.isSpelledOut) return;
    if (this.known.shown.note(schemaName, isRead)) this.keep({ lack: "reading_schema", schema: null });
  }
}

/** Settles once the signal is aborted. Its listener goes with the signal, which is the call's own. */
function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function isSame(left: RequestForm, right: RequestForm): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** What is left out first where an endpoint finds fault with a request and does not say with what. */
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
const FORMS: readonly Lack[] = ["strict_schema", "loose_schema", "json_mode", "tool_call"];

function formLack(mode: Exclude<AnswerMode, "prompt">, isStrictSchema: boolean): Lack {
  return mode === "schema" ? (isStrictSchema ? "strict_schema" : "loose_schema") : mode;
}

/** What is lacking where a parameter is refused; null where nothing can be sent instead. */
function lackOf(
  parameter: Exclude<RefusedParameter, "stream">,
  sent: RequestForm,
  isStrictSchema: boolean,
): Lack | null {
  switch (parameter) {
    case "response_format":
      return sent.mode === "prompt" ? null : formLack(sent.mode, isStrictSchema);
    case "tools":
      if (sent.mode !== "prompt") return "tool_call";
      return sent.takesStrictTools ? "strict_tools" : "tools";
    case "max_completion_tokens":
    case "max_tokens":
    case "temperature":
    case "reasoning_effort":
      return parameter;
    case "stream_options":
      return "stream_usage";
    case "messages":
      return sent.takesSystem ? "system_role" : null;
    case "model":
      return null;
    default:
      return parameter satisfies never;
  }
}

function requiredNames({ jsonSchema }: AskedCall): readonly string[] {
  const { required } = jsonSchema;
  return Array.isArray(required) ? required.map(String) : [];
}

/** Returns true for JSON with the named members, however their names are escaped. */
function holds(text: string, names: readonly string[]): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && names.every((name) => Object.hasOwn(value, name));
  } catch {
    return false;
  }
}

function tokensOf({ usage }: Completion): number {
  const reported = typeof usage === "object" && usage !== null && "completion_tokens" in usage;
  return reported && typeof usage.completion_tokens === "number" ? usage.completion_tokens : 0;
}
