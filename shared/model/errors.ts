import { defineError } from "#shared/errors";
import type { ModelAnswer } from "./model-client.ts";
import type { RefusedParameter } from "./request-form.ts";

interface TimedOut {
  readonly model: string;
  readonly timeoutMs: number;
  /** Silence of a streamed answer after its first word. Undefined: the whole time was over. */
  readonly silentMs?: number | undefined;
}

/**
 * The endpoint did not answer completely in time, whether it hung, dripped or was busy. `wasProbe`: the call was a
 * probe of an endpoint that had answered nobody.
 * @param of - What is at fault: the message, as long as nothing else is known, or the endpoint.
 */
export class ModelTimeoutError extends defineError(
  (asked: TimedOut, of: "message" | "endpoint" = "message", wasProbe = false) => ({
    code: "MODEL_TIMEOUT",
    failureClass: of === "message" ? "timeout" : "unavailable",
    message:
      asked.silentMs === undefined
        ? `Model ${asked.model} gave no complete answer within ${asked.timeoutMs} ms.`
        : `Model ${asked.model} said nothing for ${asked.silentMs} ms in the middle of its answer.`,
    remedy:
      "The message is tried again; if it keeps happening, raise the time limit or send a shorter input.",
    wasProbe,
    asked,
  }),
) {
  /** The same for an endpoint that answers nobody: the message is not at fault. */
  asEndpoints(wasProbe: boolean): ModelTimeoutError {
    return new ModelTimeoutError(this.asked, "endpoint", wasProbe);
  }
}

/** The endpoint said 429. `retryAfterMs` is what it asked for, within our bounds. */
export class ModelRateLimitedError extends defineError(
  (asked: { readonly model: string; readonly retryAfterMs: number }) => ({
    code: "MODEL_RATE_LIMITED",
    failureClass: "rate_limited",
    message: `The endpoint of model ${asked.model} limits our rate for the next ${asked.retryAfterMs} ms.`,
    remedy: "The message waits by itself; if that is too long, lower concurrency or ask for a higher limit.",
    retryAfterMs: asked.retryAfterMs,
  }),
) {}

/** Way in which an endpoint failed to answer. */
export type UnavailableReason =
  | "status"
  | "connection"
  | "truncated"
  | "not_a_completion"
  | "failed_generation"
  | "closed";

const UNAVAILABLE: Readonly<Record<UnavailableReason, string>> = {
  status: "answered with a server error",
  connection: "could not be reached or broke the connection",
  truncated: "broke off in the middle of its answer",
  not_a_completion: "answered with something that is no completion",
  failed_generation: "had no use for what the model wrote",
  closed: "is no longer asked, because this process is stopping",
};

/** The endpoint is down, broken or answers nonsense. Another try may work. `status`: of HTTP, when there was one. */
export class ModelUnavailableError extends defineError(
  (asked: { readonly model: string; readonly reason: UnavailableReason; readonly status?: number }) => ({
    code: "MODEL_UNAVAILABLE",
    failureClass: "unavailable",
    message: `The endpoint of model ${asked.model} ${UNAVAILABLE[asked.reason]}${
      asked.status === undefined ? "" : ` (status ${asked.status})`
    }.`,
    remedy:
      "The message waits by itself; check OPENAI_BASE_URL and the endpoint's own status page if it takes long.",
    reason: asked.reason,
    status: asked.status ?? null,
  }),
) {}

/** Returns true where the endpoint found fault with the model's own words: a tool call, JSON. */
export function isFailedGeneration(error: unknown): error is ModelUnavailableError {
  return error instanceof ModelUnavailableError && error.reason === "failed_generation";
}

/** The endpoint refuses without saying whether form or input. `isOfForm`: it calls the request invalid. */
export class ModelRequestRefusedError extends defineError(
  (asked: { readonly model: string; readonly status: number; readonly isOfForm?: boolean }) => ({
    code: "MODEL_REQUEST_REFUSED",
    failureClass: "handler_error",
    severity: "fatal",
    message: `The endpoint of model ${asked.model} refused the request with status ${asked.status}.`,
    remedy: "Look at the step's input and at the answer's contract.",
    isOfForm: asked.isOfForm ?? false,
    asked,
  }),
) {
  /** The same for an endpoint that answers nobody: no message is at fault. */
  asSettings(): ModelMisconfiguredError {
    return new ModelMisconfiguredError(this.asked);
  }
}

const INPUT_REFUSED = {
  too_long: ["it is too long", "Send less, or configure a model with a larger context."],
  filtered: [
    "its filter withholds it",
    "Look at the input: it may ask for something that the model's provider does not allow.",
  ],
  pictures: ["the model sees no pictures", "Configure a model that sees pictures in SUTURE_MODEL_*."],
} as const;

/** The endpoint takes the form and not this input: too long, filtered, or pictures for a model without sight. */
export class ModelInputRefusedError extends defineError(
  (asked: { readonly model: string; readonly reason: keyof typeof INPUT_REFUSED }) => ({
    code: "MODEL_INPUT_REFUSED",
    failureClass: "content_error",
    message: `The endpoint of model ${asked.model} does not take the input: ${INPUT_REFUSED[asked.reason][0]}.`,
    remedy: INPUT_REFUSED[asked.reason][1],
    reason: asked.reason,
  }),
) {}

/** The answer passed the byte limit and was cut off while it came in. */
export class ModelAnswerTooLargeError extends defineError(
  (asked: { readonly model: string; readonly answerBytesMax: number }) => ({
    code: "MODEL_ANSWER_TOO_LARGE",
    failureClass: "parse_error",
    message: `Model ${asked.model} answered with more than ${asked.answerBytesMax} bytes; the rest was not read.`,
    remedy: "Ask for a shorter answer (tokensMax), or raise the limit if answers of this size are wanted.",
  }),
) {}

/**
 * The model declined to answer, or the endpoint's filter withheld the answer. It was paid for all the same: `answer`
 * says what it cost. Its `text` is empty, because the words of a refusal often quote the input.
 */
export class ModelRefusalError extends defineError((answer: Omit<ModelAnswer, "text" | "finish">) => ({
  code: "MODEL_REFUSAL",
  failureClass: "content_error",
  message: `Model ${answer.model} declined to answer.`,
  remedy: "Look at the input: it may ask for something that the model's provider does not allow.",
  answer: { ...answer, text: "", finish: "refusal" } satisfies ModelAnswer,
})) {}

const NOT_NOW = {
  failures: "kept failing and is left alone",
  configuration: "refuses whatever is asked until a setting is corrected; it is left alone",
  drains: "has only just come back, and calls are let through by and by: this one waits",
} as const;

/** The model's circuit is open, or has only just closed, so that no call may be made now. Nothing was sent. */
export class ModelCircuitOpenError extends defineError(
  (asked: { readonly model: string; readonly retryAfterMs: number; readonly why: keyof typeof NOT_NOW }) => ({
    code: "MODEL_CIRCUIT_OPEN",
    failureClass: "unavailable",
    message: `The endpoint of model ${asked.model} ${NOT_NOW[asked.why]} for ${asked.retryAfterMs} ms.`,
    remedy: "The message waits by itself; the circuit closes when one probe is answered.",
    retryAfterMs: asked.retryAfterMs,
  }),
) {}

/** The settings that a status speaks of. */
const SETTINGS: Readonly<Record<number, string>> = {
  400: "the answer's contract and the model's name in SUTURE_MODEL_*",
  401: "the key in OPENAI_API_KEY",
  402: "the account of OPENAI_API_KEY",
  403: "OPENAI_API_KEY and what it may ask",
  404: "OPENAI_BASE_URL and SUTURE_MODEL_ROUTER, SUTURE_MODEL_WORKER, SUTURE_MODEL_SURGEON",
  429: "the credit and the spend limits of the account of OPENAI_API_KEY",
};
const SETTINGS_OF_OTHERS = "OPENAI_BASE_URL and OPENAI_API_KEY";

/**
 * The endpoint refuses every such request because of a setting: the key, the address, the model's name, or the form of
 * our request; or the account has spent what it may. An operator's fault, never the message's.
 */
export class ModelMisconfiguredError extends defineError(
  (asked: {
    readonly model: string;
    readonly status: number;
    /** Parameter that the endpoint finds fault with. Default: it names none of ours. */
    readonly parameter?: RefusedParameter | null;
    /** The account has no credit left, or reached its limit. Default false. */
    readonly isOutOfQuota?: boolean;
  }) => ({
    code: "MODEL_MISCONFIGURED",
    failureClass: "unavailable",
    message: `The endpoint of model ${asked.model} answered ${asked.status}${
      asked.parameter ? ` and named ${asked.parameter}` : ""
    }: ${asked.isOutOfQuota ? "the account's quota is used up" : "a setting is wrong"}, and no message is at fault.`,
    remedy: `Check ${SETTINGS[asked.isOutOfQuota ? 429 : asked.status] ?? SETTINGS_OF_OTHERS}; messages wait, and go on by themselves once it is corrected.`,
    parameter: asked.parameter ?? null,
  }),
) {}

/** A question comes with more pictures, or larger ones, than endpoints take. Nothing was sent. */
export class ModelImagesRefusedError extends defineError(
  (what: "images" | "bytes in one image" | "bytes in all images", max: number) => ({
    code: "MODEL_IMAGES_REFUSED",
    failureClass: "content_error",
    message: `A question has more than ${max} ${what}.`,
    remedy: "Show the model fewer or smaller pictures; the agent that asks has to choose.",
  }),
) {}

/** Errors of calls that never left, or that an endpoint answered without generating anything. */
const UNPAID = [
  ModelRateLimitedError,
  ModelRequestRefusedError,
  ModelMisconfiguredError,
  ModelInputRefusedError,
  ModelImagesRefusedError,
  ModelCircuitOpenError,
] as const;

/** Returns false for a failed call that certainly cost nothing: endpoints charge for what nobody waited for. */
export function mayBePaid(error: unknown): boolean {
  // Its message waits and probes again until somebody is answered: it must not spend its budget on that.
  if (error instanceof ModelTimeoutError && error.wasProbe) return false;
  if (error instanceof ModelUnavailableError)
    return error.reason !== "status" && error.reason !== "connection";
  return !UNPAID.some((unpaid) => error instanceof unpaid);
}
