import { recordRefusals, traceOf } from "#shared/http";
import type { ProblemOptions } from "#shared/http";
import { StoreUnavailableError } from "#shared/store";
import type { Gateway } from "../gateway.ts";
import { isOfAgentProtocol } from "../agent-protocol/addresses.ts";
import { writeProtocolProblem } from "../agent-protocol/write-problem.ts";
import { callerOf } from "./guard-requests.ts";
import { canReachStore } from "../runs/reach-store.ts";

/** How the gateway tells its problems: what the store's errors are in HTTP, and where its operations are described. */
export function tellProblems(gateway: Gateway): ProblemOptions {
  return {
    logger: gateway.logger,
    onProblem: recordRefusals({
      nameOf: (request) => callerOf(request)?.name ?? null,
      write: (refused) => gateway.store.refusals.add({ ...refused, service: "gateway" }),
      logger: gateway.logger,
    }),
    traceIdOf: (request) => traceOf(request)?.traceId ?? null,
    statusByCode: { NOT_FOUND: 404 },
    remedyByCode: {
      REQUEST_INVALID: "Correct the fields that `errors` names; /docs shows what each operation takes.",
      ROUTE_UNKNOWN: "See /docs for the operations there are.",
    },
    formOf: (request) => (isOfAgentProtocol(request.url) ? writeProtocolProblem : undefined),
    // A client library's error says by text only that Redis is away. Redis itself is asked instead, unless it has just
    // been waited for.
    explain: async (error) =>
      !isTimeout(error) && (await canReachStore(gateway))
        ? error
        : new StoreUnavailableError("answering a request", error),
  };
}

/** ioredis has no class for it. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Command timed out";
}
