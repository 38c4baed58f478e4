import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { toIssues } from "#shared/contract";
import { SigningKeyMissingError } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import { readJsonOnly, RequestInvalidError } from "#shared/http";
import { StoreUnavailableError } from "#shared/store";
import { writeThenDo } from "../audit/write-deed.ts";
import type { Console } from "../console.ts";
import { DecisionKeyMissingError } from "../errors.ts";
import { maskSecrets } from "../masking/mask-secrets.ts";
import { callerOf } from "./guards/guard-requests.ts";
import type { Call } from "./operation.ts";
import type { Route } from "./routes.ts";

const NOBODY = { name: "", role: "viewer", person: null, session: null } as const;

/** Makes the table of operations into routes, each behind its role and with its parts checked. */
export function registerRoutes(app: FastifyInstance, console: Console, routes: readonly Route[]): void {
  void app.register(async (scope) => {
    const { bodyBytesMax } = console.bounds;
    // A payload travels as one string of JSON text; its parts are held against the envelope's bounds when it is read.
    readJsonOnly(scope, bodyBytesMax, { stringBytesMax: bodyBytesMax, base64CharsMax: bodyBytesMax });
    // Whatever wrote a secret into a payload, a proposal or a reason: no page, log of a shell or screenshot gets it.
    scope.addHook("preSerialization", async (_request, _reply, answer) => maskSecrets(answer));
    for (const { method, path, operation } of routes) {
      scope.route({
        method,
        url: path,
        exposeHeadRoute: false,
        config: { role: operation.role },
        handler: async (request, reply) => {
          const call = toCall(console, request, reply);
          const parts = checkParts(
            { params: operation.params, query: operation.query, body: operation.body },
            request,
          );
          void reply.code(operation.status ?? 200);
          try {
            const work = (): Promise<unknown> => operation.handle({ ...call, ...parts });
            const { audit: action } = operation;
            if (action === undefined) return await work();
            return await writeThenDo(console, { action, caller: call.caller, ...parts }, work);
          } catch (error) {
            if (error instanceof SigningKeyMissingError) throw new DecisionKeyMissingError();
            // A client of a Redis that is away fails in many words; they all mean the same.
            const isAway = !(error instanceof SutureError) && console.store.redis.status !== "ready";
            throw isAway ? new StoreUnavailableError(operation.id, error) : error;
          }
        },
      });
    }
  });
}

type Parts = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

/** Holds every part of a request against its schema, and names all faults at once. @throws {RequestInvalidError} */
function checkParts(
  schemas: { readonly [Part in keyof Parts]: z.ZodType | undefined },
  request: FastifyRequest,
): Parts {
  const issues: Issue[] = [];
  const check = (schema: z.ZodType | undefined, value: unknown, under: string): unknown => {
    if (schema === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (!parsed.success) issues.push(...toIssues(parsed.error, under));
    return parsed.data;
  };
  const parts = {
    params: check(schemas.params, request.params, "/path"),
    query: check(schemas.query, request.query, "/query"),
    body: check(schemas.body, request.body, ""),
  };
  if (issues.length > 0) throw new RequestInvalidError(issues);
  return parts;
}

function toCall(
  console: Console,
  request: FastifyRequest,
  reply: FastifyReply,
): Omit<Call<unknown, unknown, unknown>, keyof Parts> {
  return { console, request, reply, caller: callerOf(request) ?? NOBODY, signal: signalOf(console, reply) };
}

function signalOf(console: Console, reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  console.stopping.addEventListener("abort", abort, { once: true });
  reply.raw.once("close", () => {
    console.stopping.removeEventListener("abort", abort);
    abort();
  });
  if (console.stopping.aborted) abort();
  return controller.signal;
}
