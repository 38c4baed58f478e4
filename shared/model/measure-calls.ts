import { now } from "#shared/clock";
import { SutureError } from "#shared/errors";
import type { Logger, Metrics } from "#shared/telemetry";
import { ModelRefusalError } from "./errors.ts";
import type { ModelAnswer, ModelCall, ModelClient } from "./model-client.ts";
import type { FoundLack } from "./negotiate.ts";

/** Returns the client with its calls timed and their tokens and cost counted, by agent and model. */
export function measureCalls<Client extends ModelClient>(client: Client, metrics: Metrics): Client {
  const seconds = metrics.histogram(
    "suture_model_call_seconds",
    "Time of a model call; outcome is ok, cancelled or the error's code.",
    ["agent", "model", "outcome"],
  );
  const tokens = metrics.counter("suture_model_tokens_total", "Tokens of model calls that were answered.", [
    "agent",
    "model",
    "type",
  ]);
  const cost = metrics.counter("suture_model_cost_usd_total", "Cost of model calls that were answered.", [
    "agent",
    "model",
  ]);
  const cached = metrics.counter(
    "suture_model_cached_tokens_total",
    "Input tokens of answered model calls that the provider read from its cache.",
    ["agent", "model"],
  );
  const reasoning = metrics.counter(
    "suture_model_reasoning_tokens_total",
    "Output tokens of answered model calls that the model used to reason, where the endpoint tells.",
    ["agent", "model"],
  );
  const cutOff = metrics.counter(
    "suture_model_answers_cut_off_total",
    "Answers of models that were cut off at their bound of tokens.",
    ["agent", "model"],
  );
  const count = (about: { agent: string; model: string }, answer: ModelAnswer): void => {
    tokens.add({ ...about, type: "input" }, answer.usage.input_tokens);
    tokens.add({ ...about, type: "output" }, answer.usage.output_tokens);
    cached.add(about, answer.usage.cached_tokens ?? 0);
    reasoning.add(about, answer.usage.reasoning_tokens ?? 0);
    cost.add(about, answer.cost);
    if (answer.finish === "length") cutOff.add(about, 1);
  };
  return {
    ...client,
    async ask(call: ModelCall): Promise<ModelAnswer> {
      const about = {
        agent: call.agent.split("@")[0] ?? "",
        model: call.model ?? client.modelFor(call.tier),
      };
      const startedMs = now();
      let outcome = "ok";
      try {
        const answer = await client.ask(call);
        count(about, answer);
        return answer;
      } catch (error) {
        outcome = error instanceof SutureError ? error.code : "cancelled";
        if (error instanceof ModelRefusalError) count(about, error.answer);
        throw error;
      } finally {
        seconds.observe({ ...about, outcome }, (now() - startedMs) / 1000);
      }
    },
  };
}

/** Returns a listener that logs what an endpoint turns out to lack, once, and shows it as a metric. */
export function announceLacks(logger: Logger, metrics: Metrics): (found: FoundLack) => void {
  const lacks = metrics.gauge(
    "suture_model_endpoint_lacks",
    "1 for each part of a request that the endpoint of a model does not take; other parts are sent instead.",
    ["model", "lack"],
  );
  return ({ model, lack, schema, mode }) => {
    if (schema === null) lacks.set({ model, lack }, 1);
    const of = schema === null ? {} : { schema };
    logger.warn(
      { code: "MODEL_ENDPOINT_LACKS", model, lack, ...of, answers_by: mode },
      "the model's endpoint does not take a part of our requests: it is asked without from now on",
    );
  };
}
