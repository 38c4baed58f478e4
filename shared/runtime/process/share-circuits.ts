import { withBreaker } from "#shared/model";
import type { BreakingModelClient, CircuitChange, ModelClient } from "#shared/model";
import type { AgentPresence, Store } from "#shared/store";
import { ENDPOINT_CIRCUIT_RULE_DEFAULT } from "#shared/store/feedback";
import type { EndpointCircuitRule } from "#shared/store/feedback";
import type { Logger } from "#shared/telemetry";

/** Wraps a model client in the breakers that all processes share; logs one line of level error per opening. */
export function shareCircuits(
  client: ModelClient,
  {
    store,
    logger,
    circuit,
  }: {
    readonly store: Store;
    readonly logger: Logger;
    readonly circuit?: Partial<EndpointCircuitRule> | undefined;
  },
): BreakingModelClient {
  return withBreaker(client, {
    ledger: store.endpoints,
    rule: { ...ENDPOINT_CIRCUIT_RULE_DEFAULT, ...circuit },
    onChange: (change) => logChange(logger, change),
    onError: (error) => logger.warn({ err: error }, "a model circuit could not be read or written"),
  });
}

/** The first thing to check, by the reason of the opening. */
const CHECK: Readonly<Record<string, string>> = {
  configuration:
    "OPENAI_API_KEY and its account's credit, OPENAI_BASE_URL and the model's name (SUTURE_MODEL_*)",
  rate_limited: "the account's rate limit and SUTURE_CONCURRENCY",
};
const CHECK_OTHERWISE = "OPENAI_BASE_URL and the endpoint's own status";

function logChange(logger: Logger, { error, ...change }: CircuitChange): void {
  if (change.state === "closed") {
    logger.info(change, "the model's endpoint answers again: messages go on");
    return;
  }
  const check = CHECK[change.reason] ?? CHECK_OTHERWISE;
  const seen = error === null ? {} : { err: error };
  logger.error(
    { code: "MODEL_CIRCUIT_OPEN", ...change, check, ...seen },
    "the model's endpoint is left alone: messages that need it wait",
  );
}

/** Returns the presence field of an agent while the circuit of its model is open. */
export function pausedAt(
  model: BreakingModelClient,
  { agent, version }: Pick<AgentPresence, "agent" | "version">,
): Pick<AgentPresence, "waits_for_model"> {
  const paused = model.pausedOf(`${agent}@${version}`);
  return paused === null ? {} : { waits_for_model: paused };
}
