import type { Config } from "#shared/config";
import type { ModelClientOptions } from "./create-model-client.ts";

type ModelConfig = Pick<
  Config,
  | "isRehearsal"
  | "rehearsalPort"
  | "openaiBaseUrl"
  | "openaiApiKey"
  | "modelRouter"
  | "modelWorker"
  | "modelSurgeon"
  | "modelPrices"
  | "modelRoom"
  | "modelStreams"
  | "modelTimeoutMs"
>;

/** Returns a client's options from the configuration: the configured endpoint, or the bundled stand-ins. */
export function modelSettings(config: ModelConfig): ModelClientOptions {
  const { isRehearsal } = config;
  const rehearsalUrl = `http://127.0.0.1:${config.rehearsalPort}/v1`;
  return {
    baseUrl: isRehearsal ? rehearsalUrl : (config.openaiBaseUrl ?? "https://api.openai.com/v1"),
    // A local endpoint that asks for no key still has to be sent one.
    apiKey: config.openaiApiKey?.reveal() ?? "none",
    models: { router: config.modelRouter, worker: config.modelWorker, surgeon: config.modelSurgeon },
    prices: config.modelPrices,
    reasoning: config.modelRoom.reasoning,
    answerTokensMax: config.modelRoom.tokensMax,
    streams: config.modelStreams,
    timeoutMs: config.modelTimeoutMs,
    isRehearsal,
  };
}
