import { SutureError } from "#shared/errors";
import type { ModelAnswer } from "./model-client.ts";

/** The endpoint did not answer completely in time, whether it hung, dripped or was busy. */
export class ModelTimeoutError extends SutureError {
  constructor(asked: { readonly model: string; readonly timeoutMs: number }) {
    super({
      code: "MODEL_TIMEOUT",
      failureClass: "timeout",
      message: `Model ${asked.model} gave no complete answer within ${asked.timeoutMs} ms.`,
      remedy:
        "The message is tried again; if it keeps happening, raise the time limit or send a shorter input.",
    });
  }
}

/** The endpoint said 429. `retryAfterMs` is what it asked for, within our bounds. */
export class ModelRateLimitedError extends SutureError {
  /** Milliseconds to wait before asking again; at least 1. */
  readonly retryAfterMs: number;

  constructor(asked: { readonly model: string; readonly retryAfterMs: number }) {
    super({
      code: "MODEL_RATE_LIMITED",
      failureClass: "rate_limited",
      message: `The endpoint of model ${asked.model} limits our rate for the next ${asked.retryAfterMs} ms.`,
      remedy:
        "The message waits by itself; if that is too long, lower concurrency or ask for a higher limit.",
    });
    this.retryAfterMs = asked.retryAfterMs;
  }
}

/** How an endpoint failed to answer. */
export type UnavailableReason = "status" | "connection" | "truncated" | "not_a_completion" | "closed";

const UNAVAILABLE: Readonly<Record<UnavailableReason, string>> = {
  status: "answered with a server error",
  connection: "could not be reached or broke the connection",
  truncated: "broke off in the middle of its answer",
  not_a_completion: "answered with something that is no completion",
  closed: "is no longer asked, because this process is stopping",
};

/** The endpoint is down, broken or answers nonsense. Another try may work. */
export class ModelUnavailableError extends SutureError {
  readonly reason: UnavailableReason;
  /** HTTP status, when there was one. */
  readonly status: number | null;

  constructor(asked: {
    readonly model: string;
    readonly reason: UnavailableReason;
    readonly status?: number;
  }) {
    const status = asked.status === undefined ? "" : ` (status ${asked.status})`;
    super({
      code: "MODEL_UNAVAILABLE",
      failureClass: "transient",
      message: `The endpoint of model ${asked.model} ${UNAVAILABLE[asked.reason]}${status}.`,
      remedy: "The message is tried again; look at the endpoint's own status page if it keeps happening.",
    });
    this.reason = asked.reason;
    this.status = asked.status ?? null;
  }
}

/** A parameter of our request, as endpoints name it. */
export type RefusedParameter =
  | "model"
  | "messages"
  | "response_format"
  | "max_completion_tokens"
  | "temperature";

/** The endpoint refuses such requests whatever their input: bad key, unknown model, schema or parameter, redirect. */
export class ModelRequestRefusedError extends SutureError {
  readonly model: string;
  /** HTTP status. */
  readonly status: number;
  /** What the endpoint says is wrong; null when it names no parameter of ours. */
  readonly parameter: RefusedParameter | null;

  constructor(asked: {
    readonly model: string;
    readonly status: number;
    readonly parameter?: RefusedParameter | null;
  }) {
    const { model, status, parameter = null } = asked;
    const named = parameter === null ? "" : ` and names ${parameter}`;
    super({
      code: "MODEL_REQUEST_REFUSED",
      failureClass: "handler_error",
      severity: "fatal",
      message: `The endpoint of model ${model} refused the request with status ${status}${named}.`,
      remedy:
        "Check OPENAI_API_KEY, OPENAI_BASE_URL, the model's name and, for status 400, the answer's contract.",
    });
    this.model = model;
    this.status = status;
    this.parameter = parameter;
  }
}

/** The endpoint does not take this input, though it takes the request's form: too long, or withheld by its filter. */
export class ModelInputRefusedError extends SutureError {
  readonly reason: "too_long" | "filtered";

  constructor(asked: { readonly model: string; readonly reason: "too_long" | "filtered" }) {
    const why = asked.reason === "too_long" ? "it is too long" : "its filter withholds it";
    super({
      code: "MODEL_INPUT_REFUSED",
      failureClass: "content_error",
      message: `The endpoint of model ${asked.model} does not take the input: ${why}.`,
      remedy:
        asked.reason === "too_long"
          ? "Send less, or configure a model with a larger context."
          : "Look at the input: it may ask for something that the model's provider does not allow.",
    });
    this.reason = asked.reason;
  }
}

/** The answer passed the byte limit and was cut off while it came in. */
export class ModelAnswerTooLargeError extends SutureError {
  readonly model: string;

  constructor(asked: { readonly model: string; readonly answerBytesMax: number }) {
    super({
      code: "MODEL_ANSWER_TOO_LARGE",
      failureClass: "parse_error",
      message: `Model ${asked.model} answered with more than ${asked.answerBytesMax} bytes; the rest was not read.`,
      remedy: "Ask for a shorter answer (tokensMax), or raise the limit if answers of this size are wanted.",
    });
    this.model = asked.model;
  }
}

/** The model declined to answer, or the endpoint's filter withheld the answer. It was paid for all the same. */
export class ModelRefusalError extends SutureError {
  /** What the refusal cost; its `text` is empty, because the words of a refusal often quote the input. */
  readonly answer: ModelAnswer;

  constructor(answer: Omit<ModelAnswer, "text" | "finish">) {
    super({
      code: "MODEL_REFUSAL",
      failureClass: "content_error",
      message: `Model ${answer.model} declined to answer.`,
      remedy: "Look at the input: it may ask for something that the model's provider does not allow.",
    });
    this.answer = { ...answer, text: "", finish: "refusal" };
  }
}

/** The circuit to the endpoint is open after repeated failures; nothing was sent. */
export class ModelCircuitOpenError extends SutureError {
  /** Milliseconds until the circuit lets one call through to try; at least 1. */
  readonly retryAfterMs: number;

  constructor(asked: { readonly model: string; readonly retryAfterMs: number }) {
    super({
      code: "MODEL_CIRCUIT_OPEN",
      failureClass: "transient",
      message: `The endpoint of model ${asked.model} kept failing and is left alone for ${asked.retryAfterMs} ms.`,
      remedy: "Wait; the circuit closes by itself as soon as the endpoint answers again.",
    });
    this.retryAfterMs = asked.retryAfterMs;
  }
}

/** A question comes with more pictures, or larger ones, than endpoints take. Nothing was sent. */
export class ModelImagesRefusedError extends SutureError {
  constructor(what: "images" | "bytes in one image" | "bytes in all images", max: number) {
    super({
      code: "MODEL_IMAGES_REFUSED",
      failureClass: "content_error",
      message: `A question has more than ${max} ${what}.`,
      remedy: "Show the model fewer or smaller pictures; the agent that asks has to choose.",
    });
  }
}

/** Errors of calls that never left, or that an endpoint answered without generating anything. */
const UNPAID = [
  ModelRateLimitedError,
  ModelRequestRefusedError,
  ModelInputRefusedError,
  ModelImagesRefusedError,
  ModelCircuitOpenError,
] as const;

/**
 * Returns false for a failed call that certainly cost nothing. Any other, aborted ones included, may have been paid
 * for: an endpoint that generates charges also for what nobody waited for.
 */
export function mayBePaid(error: unknown): boolean {
  if (error instanceof ModelUnavailableError)
    return error.reason !== "status" && error.reason !== "connection";
  return !UNPAID.some((unpaid) => error instanceof unpaid);
}
