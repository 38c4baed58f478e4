import type { Logger, Metrics } from "#shared/telemetry";
import type { FoundLack } from "./negotiate.ts";

/** Returns a listener that logs what an endpoint turns out to lack, once, and shows it as a metric. */
export function announceLacks(logger: Logger, metrics: Metrics): (found: FoundLack) => void {
  const lacks = metrics.gauge({
    name: "suture_model_endpoint_lacks",
    help: "1 for each part of a request that the endpoint of a model does not take; other parts are sent instead.",
    labels: ["model", "lack"],
  });
  return ({ model, lack, schema, mode }) => {
    if (schema === null) lacks.set({ model, lack }, 1);
    const of = schema === null ? {} : { schema };
    logger.warn(
      { code: "MODEL_ENDPOINT_LACKS", model, lack, ...of, answers_by: mode },
      "the model's endpoint does not take a part of our requests: it is asked without from now on",
    );
  };
}
