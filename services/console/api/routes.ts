import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bindOperations, checkAnswer, checkParts, CONSOLE_API, statusOf } from "#shared/api";
import type { ConsoleApi } from "#shared/api";
import { maskSecrets } from "#shared/guard";
import { abortWithClient, readJsonOnly } from "#shared/http";
import { findAttached } from "../attached/attached-queues.ts";
import { writeThenDo } from "../audit/audit-changes.ts";
import type { Around, Console, Route } from "../console.ts";
import { confineToTeams } from "./guards/confine-to-teams.ts";
import { callerOf } from "./guards/guard-requests.ts";
import * as agents from "./operations/agents.ts";
import * as apiKeys from "./operations/api-keys.ts";
import * as attached from "./operations/attached.ts";
import * as batches from "./operations/batches.ts";
import * as cases from "./operations/cases.ts";
import * as causes from "./operations/causes.ts";
import * as groups from "./operations/groups.ts";
import * as maintenance from "./operations/maintenance.ts";
import * as overview from "./operations/overview.ts";
import * as recipes from "./operations/recipes.ts";
import * as runs from "./operations/runs.ts";
import * as session from "./operations/session.ts";
import * as webhooks from "./operations/webhooks.ts";

/** Handlers of attached queues by operation; undefined: the ward carries it out for them too. */
const BY_QUEUE = new Map(
  bindOperations<Pick<ConsoleApi, keyof typeof attached>, Around>(CONSOLE_API, attached).map(
    ({ operation: { id, handle } }) => [id, handle],
  ),
);

/** Everything the console can do. */
export const ROUTES: readonly Route[] = bindOperations<ConsoleApi, Around>(CONSOLE_API, {
  ...attached,
  ...session,
  ...overview,
  ...agents,
  ...maintenance,
  ...groups,
  ...causes,
  ...batches,
  ...cases,
  ...runs,
  ...recipes,
  ...apiKeys,
  ...webhooks,
  // A Redis that is away is no reason to restart the process.
  showLiveness: async () => ({ status: "ok" }),
}).map((route) => {
  const { id, handle } = route.operation;
  const byQueue = BY_QUEUE.get(id) ?? handle;
  const bySource: typeof handle = (call) => (findAttached(call) === null ? handle(call) : byQueue(call));
  return { ...route, operation: { ...route.operation, handle: bySource } };
});

const NOBODY = { name: "", role: "viewer", person: null, teams: null, session: null } as const;

/** Makes the table of operations into routes, each behind its scopes and with its parts checked. */
export function registerRoutes(app: FastifyInstance, console: Console): void {
  void app.register(async (scope) => {
    const { bodyBytesMax } = console.bounds;
    // A payload travels as one string of JSON text; its parts are held against the envelope's bounds when it is read.
    readJsonOnly(scope, bodyBytesMax, { stringBytesMax: bodyBytesMax, base64CharsMax: bodyBytesMax });
    for (const { method, path, operation } of ROUTES)
      scope.route({
        method,
        url: path,
        exposeHeadRoute: false,
        config: { scopes: operation.scopes },
        handler: answerBy(console, operation),
      });
  });
}

/** Checks the parts of a request, writes down what is asked for, and does it. */
function answerBy(console: Console, operation: Route["operation"]) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    void reply.code(statusOf(operation));
    const { id, audit: action, handle, isMasked } = operation;
    const caller = callerOf(request) ?? NOBODY;
    const confined = await confineToTeams(console, caller, { id, params: request.params });
    const parts = checkParts(operation, request);
    const signal = abortWithClient(reply, console.stopping);
    const call = { ...parts, console: confined, request, reply, caller, signal };
    const answer = await writeThenDo(console.audit, action, call, () => handle(call));
    if (answer === reply) return reply;
    if (console.checksAnswers === true) checkAnswer(operation, { status: reply.statusCode, answer });
    // Whatever wrote a secret into a payload, a proposal or a reason: no page, log or screenshot gets it.
    return isMasked === false ? answer : maskSecrets(answer);
  };
}
