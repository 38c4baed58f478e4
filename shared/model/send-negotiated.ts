import type { StreamMode } from "#shared/config";
import type { RoomedCall } from "./answer-room.ts";
import type { BuiltRequest } from "./build-request.ts";
import { isFailedGeneration, ModelUnavailableError } from "./errors.ts";
import type { ModelCall } from "./model-client.ts";
import type { NegotiatedCall } from "./negotiate.ts";
import { CHARACTERS_PER_TOKEN, generatedTokens, readCompletion, readThoughts } from "./read-completion.ts";
import type { Completion } from "./read-completion.ts";
import type { StreamedBody } from "./read-stream.ts";
import type { RequestForm } from "./request-form.ts";

/** A call on its way to an endpoint. */
export interface Sending {
  readonly call: ModelCall;
  readonly model: string;
  readonly negotiated: NegotiatedCall;
  readonly room: RoomedCall;
  /** Sends a request once; gives the body of status 200. `pieces`: see `StreamedBody`. */
  readonly post: (request: BuiltRequest) => Promise<StreamedBody>;
  readonly streams: StreamMode;
  /** Called before a request that follows one which may have been paid for. */
  readonly onSending: (form: RequestForm) => void;
  /** Returns the error to throw for a failure. */
  readonly toThrown: (failure: unknown, fields: readonly string[]) => Promise<unknown>;
}

/** The request that was sent in the end, and its answer. */
export interface Received {
  readonly request: BuiltRequest;
  readonly form: RequestForm;
  readonly completion: Completion;
  /** Characters of thoughts that came with it. */
  readonly thoughts: number;
  /** Limit of the answer and its reasoning together, in tokens; undefined for no bound. */
  readonly limit: number | undefined;
  /** See `ModelAnswer`. */
  readonly higherLimit: number | undefined;
}

/** Sends a call in the best form that its endpoint takes: each refusal leaves out one more part, and tries again. */
export async function sendNegotiated(sending: Sending): Promise<Received> {
  const { call, negotiated, room, toThrown } = sending;
  for (;;) {
    const { form } = negotiated;
    const request = withStream(room.build(call, form), sending, form);
    const limit = room.limitIn(form);
    try {
      const { completion, thoughts, pieces } = await sendOnce(sending, request);
      if (request.body.stream === true) negotiated.streamed(completion, pieces);
      negotiated.answered({ form, fields: Object.keys(request.body) }, completion, limit);
      room.answered(form, completion, thoughts);
      const had = limit ?? countedTokens(completion, thoughts);
      const higherLimit = completion.finish === "length" ? room.moreThan(form, had) : undefined;
      return { request, form, completion, thoughts, limit, higherLimit };
    } catch (error) {
      const fields = Object.keys(request.body);
      const thrown = await toThrown(error, fields);
      if (room.isRefusedFor(thrown, form)) continue;
      if (!negotiated.isToBeSentAgain(thrown, { form, fields })) throw thrown;
      if (isFailedGeneration(thrown)) sending.onSending(negotiated.form);
    }
  }
}

async function sendOnce(
  { call, model, post }: Sending,
  request: BuiltRequest,
): Promise<Pick<Received, "completion" | "thoughts"> & { readonly pieces: number }> {
  const { body, pieces } = await post(request);
  const isByTool = call.tools === undefined && request.body.tools !== undefined;
  const completion = readCompletion(body, isByTool);
  if (completion === null) throw new ModelUnavailableError({ model, reason: "not_a_completion" });
  const { finish, text, calls } = completion;
  // Google reports a call that its model wrote wrongly as an end of its own kind, with nothing before it.
  if (
    !isByTool &&
    request.body.tools !== undefined &&
    finish === "other" &&
    text === "" &&
    calls.length === 0
  )
    throw new ModelUnavailableError({ model, reason: "failed_generation" });
  return { completion, thoughts: readThoughts(body), pieces };
}

/** Asks for the answer as a stream, with its usage, where the tier's setting and the endpoint have it so. */
function withStream(request: BuiltRequest, { streams, room }: Sending, form: RequestForm): BuiltRequest {
  const isTaken = form.takesStream && (request.body.tools === undefined || form.takesStreamedTools);
  const pays = room.reasoningIn(form) > 0 && form.takesStreamedUsage;
  if (!isTaken || streams === "off" || (streams === "auto" && !pays)) return request;
  const options = form.takesStreamedUsage ? { stream_options: { include_usage: true } } : {};
  return { body: { ...request.body, stream: true, ...options } };
}

function countedTokens({ text, usage }: Completion, thoughts: number): number {
  const reported = generatedTokens(usage);
  return typeof reported === "number" && reported > 0
    ? reported
    : Math.ceil((text.length + thoughts) / CHARACTERS_PER_TOKEN);
}
