import { recordRefusals, traceOf } from "#shared/http";
import type { ProblemOptions } from "#shared/http";
import { explainFailure } from "#shared/store";
import type { Gateway } from "../gateway.ts";
import { isOfAgentProtocol, writeProtocolProblem } from "../agent-protocol/addresses.ts";
import { callerOf } from "./guard-requests.ts";

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
    explain: (error) => explainFailure(gateway.store, error),
  };
}
