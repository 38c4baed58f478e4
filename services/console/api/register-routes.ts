import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { checkAnswer, checkParts, statusOf } from "#shared/api";
import { SutureError } from "#shared/errors";
import { abortWithClient, readJsonOnly } from "#shared/http";
import { StoreUnavailableError } from "#shared/store";
import { writeThenDo } from "../audit/audit-changes.ts";
import type { Console, Call, Route } from "../console.ts";
import { maskSecrets } from "../masking/mask-secrets.ts";
import { confineToTeams } from "./guards/confine-to-teams.ts";
import { callerOf } from "./guards/guard-requests.ts";

const NOBODY = { name: "", role: "viewer", person: null, teams: null, session: null } as const;

/** Makes the table of operations into routes, each behind its role and with its parts checked. */
export function registerRoutes(app: FastifyInstance, console: Console, routes: readonly Route[]): void {
  void app.register(async (scope) => {
    const { bodyBytesMax } = console.bounds;
    // A payload travels as one string of JSON text; its parts are held against the envelope's bounds when it is read.
    readJsonOnly(scope, bodyBytesMax, { stringBytesMax: bodyBytesMax, base64CharsMax: bodyBytesMax });
    for (const { method, path, operation, role } of routes) {
      scope.route({
        method,
        url: path,
        exposeHeadRoute: false,
        config: { role },
        handler: async (request, reply) => {
          void reply.code(statusOf(operation));
          const answer = await carryOut(console, operation, { request, reply });
          if (console.checksAnswers === true && answer !== reply)
            checkAnswer(operation, { status: reply.statusCode, answer });
          // Whatever wrote a secret into a payload, a proposal or a reason: no page, log or screenshot gets it.
          return answer === reply || operation.isMasked === false ? answer : maskSecrets(answer);
        },
      });
    }
  });
}

/** Checks the parts of a request, writes down what is asked for, and does it. */
async function carryOut(
  console: Console,
  operation: Route["operation"],
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<unknown> {
  const caller = callerOf(request) ?? NOBODY;
  const confined = await confineToTeams(console, { caller, operation, params: request.params });
  const parts = checkParts(operation, request);
  const call: Call = {
    ...parts,
    console: confined,
    request,
    reply,
    caller,
    signal: abortWithClient(reply, console.stopping),
  };
  const work = (): Promise<unknown> => operation.handle(call);
  const { audit: action } = operation;
  try {
    if (action === undefined) return await work();
    return await writeThenDo(console, { action, caller, ...parts }, work);
  } catch (error) {
    // A client of a Redis that is away fails in many words; they all mean the same.
    const isAway =
      !(error instanceof SutureError) && console.store.shards.some(({ redis }) => redis.status !== "ready");
    throw isAway ? new StoreUnavailableError(operation.id, error) : error;
  }
}
