import type { ApiScope, KeyHolder } from "#shared/config";
import { SutureError } from "#shared/errors";
import { RateLimit, recordRefusals } from "#shared/http";
import type { AttemptedRequest, ProblemOptions } from "#shared/http";
import { limitFailures } from "#shared/http/limits";
import { explainFailure } from "#shared/store";
import { isOfAgentProtocol, writeProtocolProblem } from "../agent-protocol/addresses.ts";
import { QuotaExceededError, STATUS_BY_CODE, TooManyWaitersError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";

const callers = new WeakMap<AttemptedRequest, KeyHolder>();

/** Caller of the key that a request came with; null on routes that ask for none. */
export function callerOf(request: AttemptedRequest): KeyHolder | null {
  return callers.get(request) ?? null;
}

/** Returns true where the key of a request still allows it: it may be revoked while an answer waits. */
export function mayStill(
  { keys }: Pick<Gateway, "keys">,
  authorization: string | undefined,
  scopes: readonly ApiScope[] | null = [],
): boolean {
  try {
    return scopes === null || keys.authorise(authorization, scopes) !== null;
  } catch (error) {
    if (error instanceof SutureError) return false;
    throw error;
  }
}

/**
 * Returns the holder of a request's key, which has one of the scopes and is within its rate and quota.
 * @param onKnown - Called once the key is known, before its rate is counted. Default: nothing.
 */
export type Admit = (
  request: AttemptedRequest,
  scopes: readonly ApiScope[],
  onKnown?: (key: KeyHolder) => void,
) => Promise<KeyHolder>;

/** Returns the one check of keys and rates of a gateway, whatever its clients speak. */
export function createAdmission(gateway: Pick<Gateway, "keys" | "bounds" | "store">): Admit {
  const { rateBurst, ratePerSecond } = gateway.bounds;
  const countFailure = limitFailures(gateway.bounds);
  const rate = new RateLimit({ burst: rateBurst, perSecond: ratePerSecond });
  return async (request, scopes, onKnown) => {
    const key = gateway.keys.authoriseRequest(request, scopes, countFailure);
    onKnown?.(key);
    rate.take(key.name);
    await countRequest(gateway, key);
    callers.set(request, key);
    return key;
  };
}

/** Only of a key with such a quota is Redis asked. @throws {QuotaExceededError} */
async function countRequest({ store }: Pick<Gateway, "store">, { name, quotas }: KeyHolder): Promise<void> {
  const { requests_per_minute: perMinute } = quotas;
  if (perMinute === undefined) return;
  const retryAfterMs = await store.apiKeys.countRequest(name, perMinute);
  if (retryAfterMs === null) return;
  const over = `${perMinute} requests a minute`;
  throw new QuotaExceededError({ whose: "key", quota: "requests_per_minute", over, retryAfterMs });
}

/** Takes a place for a waiting request. @returns A function that gives it back, once. @throws {TooManyWaitersError} */
export function takeWaitingPlace({ waiters }: Pick<Gateway, "waiters">, caller: Caller): () => void {
  const leave = waiters.enter(caller);
  if (leave === null) throw new TooManyWaitersError();
  return leave;
}

/** Returns the gateway's options for answers to errors: their records, statuses, remedies and forms. */
export function tellProblems(gateway: Gateway): ProblemOptions {
  return {
    logger: gateway.logger,
    onProblem: recordRefusals({
      nameOf: (request) => callerOf(request)?.name ?? null,
      write: (refused) => gateway.store.refusals.add({ ...refused, service: "gateway" }),
      logger: gateway.logger,
    }),
    statusByCode: STATUS_BY_CODE,
    remedyByCode: {
      REQUEST_INVALID: "Correct the fields that `errors` names; /docs shows what each operation takes.",
      ROUTE_UNKNOWN: "See /docs for the operations there are.",
    },
    formOf: (request) => (isOfAgentProtocol(request.url) ? writeProtocolProblem : undefined),
    explain: (error) => explainFailure(gateway.store, error),
  };
}
