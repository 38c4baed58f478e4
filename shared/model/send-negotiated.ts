import { buildRequest } from "./build-request.ts";
import type { BuiltRequest } from "./build-request.ts";
import { ModelUnavailableError } from "./errors.ts";
import type { ModelCall } from "./model-client.ts";
import type { NegotiatedCall } from "./negotiate.ts";
import { readCompletion } from "./read-completion.ts";
import type { Completion } from "./read-completion.ts";
import type { RequestForm } from "./request-form.ts";

/** A call on its way to an endpoint. */
export interface Sending {
  readonly call: ModelCall;
  readonly model: string;
  readonly negotiated: NegotiatedCall;
  /** Ends the call, also while it waits for what another one finds. */
  readonly signal: AbortSignal;
  /** Sends a request once; gives the body of status 200. */
  readonly post: (request: BuiltRequest) => Promise<unknown>;
  /** What a failure is to be thrown as. */
  readonly toThrown: (failure: unknown, fields: readonly string[]) => Promise<unknown>;
}

/** What was sent in the end, and what came. */
export interface Received {
  readonly request: BuiltRequest;
  readonly form: RequestForm;
  readonly completion: Completion;
}

/**
 * Sends a call in the best form that its endpoint takes: again in the next one for as long as a part is refused. Each
 * round leaves out something more, so that there are as many at most as there are parts.
 */
export async function sendNegotiated(sending: Sending): Promise<Received> {
  const { call, model, negotiated, signal, toThrown } = sending;
  for (;;) {
    const { form } = negotiated;
    const request = buildRequest(call, model, form);
    try {
      const completion = await sendOnce(sending, request);
      negotiated.answered(form, completion);
      return { request, form, completion };
    } catch (error) {
      const fields = Object.keys(request.body);
      const thrown = await toThrown(error, fields);
      if (!(await negotiated.isToBeSentAgain(thrown, { form, fields, signal }))) throw thrown;
    }
  }
}

async function sendOnce({ call, model, post }: Sending, request: BuiltRequest): Promise<Completion> {
  const isByTool = call.tools === undefined && request.body.tools !== undefined;
  const completion = readCompletion(await post(request), isByTool);
  if (completion === null) throw new ModelUnavailableError({ model, reason: "not_a_completion" });
  return completion;
}
