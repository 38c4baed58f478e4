import { createHash } from "node:crypto";
import { now } from "#shared/clock";
import { isRecord, kept, readJson } from "#shared/json";
import { isFailedGeneration } from "./errors.ts";
import { Confirmations, FORMS, readLack, ShownSchemas, takenIn } from "./lacks.ts";
import type { SentRequest } from "./lacks.ts";
import type { ModelCall } from "./model-client.ts";
import type { Completion } from "./read-completion.ts";
import { formWithout } from "./request-form.ts";
import type { AnswerMode, Lack, RequestForm } from "./request-form.ts";
import { toStrictSchema } from "./strict-schema.ts";

/** Something that was found of an endpoint: it is left out of what is sent from now on. */
export interface FoundLack {
  readonly model: string;
  readonly lack: Lack;
  /** The schema alone that is concerned; null: every request to the model. */
  readonly schema: string | null;
  /** Way in which the form of such an answer is asked for now. */
  readonly mode: AnswerMode;
}

type Found = Pick<FoundLack, "lack" | "schema">;

type AskedCall = Pick<
  ModelCall,
  "instructions" | "input" | "schemaName" | "jsonSchema" | "answersIn" | "reask" | "tools"
>;

/** A request as it was sent: its form, and the fields of its body. */
type Sent = Omit<SentRequest, "isStrict">;

interface Known {
  readonly lacks: Set<Lack>;
  readonly lacksOf: Map<string, Set<Lack>>;
  /** Lacks that one request showed, and none other yet. */
  readonly suspected: Confirmations;
  /** Parts of requests that it took: where one is refused later, the fault is the request's own. */
  readonly taken: Set<Lack>;
  /** Finding on whether the model is shown the schemas that its endpoint takes. */
  readonly shown: ShownSchemas;
  /** Until then no other form is tried, in epoch ms: all were refused. */
  hopelessUntilMs: number;
  /** It takes requests of our form: one that is refused without a reason has its own. */
  hasAnswered: boolean;
}

/** Times that a call is sent again as it is because its endpoint had no use for what the model wrote. */
const GENERATIONS_MAX = 2;

/** Time for which an endpoint that refused every form is asked in one alone, in ms: probes are single requests. */
const HOPELESS_MS = 60_000;

/**
 * Finds the form that an endpoint takes, by model: a strict schema, else JSON mode, a tool call, the prompt; and the
 * parameters that it does not refuse. What one request shows holds for that call; a second, different one confirms it
 * for as long as the process lives.
 */
export class Negotiation {
  private readonly known = new Map<string, Known>();
  private readonly onFound: (found: FoundLack) => void;

  constructor(onFound: (found: FoundLack) => void) {
    this.onFound = onFound;
  }

  /** Starts a call, which is sent again in another form for as long as its endpoint refuses a part of it. */
  start(model: string, call: AskedCall): NegotiatedCall {
    const known = kept<string, Known>(this.known, model, () => ({
      lacks: new Set(),
      lacksOf: new Map(),
      suspected: new Confirmations(),
      taken: new Set(),
      shown: new ShownSchemas(),
      hopelessUntilMs: 0,
      hasAnswered: false,
    }));
    return new NegotiatedCall(known, call, (found) => this.keep({ model, call, known }, found));
  }

  private keep(
    { model, call, known }: { readonly model: string; readonly call: AskedCall; readonly known: Known },
    { lack, schema }: Found,
  ): void {
    const into = schema === null ? known.lacks : (known.lacksOf.get(schema) ?? new Set());
    if (into.has(lack)) return;
    into.add(lack);
    if (schema !== null) known.lacksOf.set(schema, into);
    this.onFound({ model, lack, schema, mode: this.start(model, call).form.mode });
  }
}

/** One call. What is found is noted once an answer came: an endpoint that refuses everything teaches nothing. */
export class NegotiatedCall {
  private readonly known: Known;
  private readonly call: AskedCall;
  private readonly keep: (found: Found) => void;
  private readonly isStrict: boolean;
  private readonly found: Found[] = [];
  /** Left out of this call alone, for what is no lack. */
  private readonly leftOut = new Set<Lack>();
  private generations = 0;

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
      new Set([...lacks, ...own, ...this.leftOut, ...this.found.map(({ lack }) => lack)]),
      this.isStrict,
    );
    const { reask, schemaName, tools } = this.call;
    if (reask !== undefined && form.mode === "schema" && this.known.shown.isDoubted(schemaName))
      return { ...form, isSpelledOut: true };
    // Beside a schema of the answer some endpoints refuse tools (Gemini), and some models call none (vLLM).
    return tools === undefined ? form : { ...form, mode: "prompt", isSpelledOut: true };
  }

  /**
   * Returns true when a failed call is to be sent again: a refused part is left out now, or the endpoint had no use for
   * what the model wrote. @param sent - The form that failed, with the request's fields.
   */
  isToBeSentAgain(failure: unknown, sent: Sent): boolean {
    const { known, isStrict } = this;
    if (isFailedGeneration(failure)) return this.isToBeGeneratedAgain(sent);
    const lack = readLack(
      failure,
      { ...sent, isStrict },
      {
        hasAnswered: known.hasAnswered,
        isTaken: (one) => known.taken.has(one),
        isSuspected: (one) => known.suspected.has(nameOf({ lack: one, schema: null })),
      },
    );
    if (lack === undefined) return false;
    if (lack === null) {
      if (this.found.length > 0) known.hopelessUntilMs = now() + HOPELESS_MS;
      return false;
    }
    // A part that it took before is not lacking: this schema alone is more than the endpoint takes, or this request.
    const schema = FORMS.includes(lack) && known.taken.has(lack) ? this.call.schemaName : null;
    if (now() < known.hopelessUntilMs) return false;
    if (schema === null && known.taken.has(lack)) this.leftOut.add(lack);
    else this.found.push({ lack, schema });
    return true;
  }

  /** Returns true where the model is to write again: as before, and at last without the checks of its endpoint. */
  private isToBeGeneratedAgain({ form, fields }: Sent): boolean {
    this.generations += 1;
    if (this.generations <= GENERATIONS_MAX) return true;
    const checked: readonly Lack[] =
      form.mode !== "prompt" ? FORMS : fields.includes("tools") ? ["tools"] : [];
    for (const lack of checked) this.leftOut.add(lack);
    return checked.length > 0;
  }

  /** Learns from an answer that was asked for as a stream. @param pieces - In which it came; 0 for none. */
  streamed(completion: Completion, pieces: number): void {
    if (pieces === 0) this.note({ lack: "stream", schema: null });
    else if (typeof completion.usage !== "object") this.note({ lack: "stream_usage", schema: null });
    // An answer of nothing at all: the calls that it is made of were not streamed.
    const isEmpty = completion.text === "" && completion.calls.length === 0;
    if (pieces > 0 && isEmpty && completion.finish === "stop" && this.call.tools !== undefined)
      this.note({ lack: "stream_tools", schema: null });
  }

  /** Keeps what is found where another question showed it before. */
  private note(found: Found): void {
    if (this.known.suspected.note(nameOf(found), digestOf(this.call))) this.keep(found);
  }

  /** Notes what was found, and whether what was sent was read. @param limit - Tokens allowed. */
  answered({ form, fields }: Sent, completion: Completion, limit = Infinity): void {
    const { known, isStrict } = this;
    known.hopelessUntilMs = 0;
    known.hasAnswered = true;
    for (const lack of takenIn({ form, fields, isStrict })) known.taken.add(lack);
    for (const one of this.found) this.note(one);
    const { answersIn } = this.call;
    if (form.limit === "max_completion_tokens" && tokensOf(completion) > limit)
      this.note({ lack: "max_completion_tokens", schema: null });
    if (answersIn === "xml" || form.mode === "prompt") return;
    const { required } = this.call.jsonSchema;
    const names = Array.isArray(required) ? required.map(String) : [];
    if (completion.finish !== "stop" || completion.text === "" || names.length === 0) return;
    // A model that was shown the schema names its fields; one that was not may, where its instructions do.
    const isRead =
      names.every((name) => completion.text.includes(JSON.stringify(name))) || holds(completion.text, names);
    const { schemaName } = this.call;
    if (form.mode !== "schema" || form.isSpelledOut) return;
    if (known.shown.note(schemaName, digestOf(this.call), isRead))
      this.keep({ lack: "reading_schema", schema: null });
  }
}

function nameOf({ lack, schema }: Found): string {
  return schema === null ? lack : `${lack} ${schema}`;
}

/** Returns what tells questions apart; the same for one that is asked again. */
function digestOf({ instructions, input }: Pick<ModelCall, "instructions" | "input">): string {
  return createHash("sha256")
    .update(JSON.stringify([instructions, input]))
    .digest("base64");
}

/** Returns true for JSON with the named members, however their names are escaped. */
function holds(text: string, names: readonly string[]): boolean {
  const value = readJson(text);
  return isRecord(value) && names.every((name) => Object.hasOwn(value, name));
}

function tokensOf({ usage }: Completion): number {
  const reported = typeof usage === "object" && usage !== null && "completion_tokens" in usage;
  return reported && typeof usage.completion_tokens === "number" ? usage.completion_tokens : 0;
}
