import type { VariableValues } from "./variables.ts";

/** Returns which models are asked, how much room their answers have, and which come as streams. */
export function modelFields(values: VariableValues) {
  const isRehearsal = values.OPENAI_API_KEY === null && values.OPENAI_BASE_URL === null;
  return {
    isRehearsal,
    modelRouter: values.SUTURE_MODEL_ROUTER ?? (isRehearsal ? "rehearsal-router" : "gpt-5-nano"),
    modelWorker: values.SUTURE_MODEL_WORKER ?? (isRehearsal ? "rehearsal-worker" : "gpt-5-mini"),
    modelSurgeon: values.SUTURE_MODEL_SURGEON ?? (isRehearsal ? "rehearsal-surgeon" : "gpt-5"),
    userModels: values.SUTURE_USER_MODELS?.split(",") ?? [],
    modelRoom: {
      reasoning: {
        router: {
          effort: values.SUTURE_MODEL_ROUTER_EFFORT,
          tokens: values.SUTURE_MODEL_ROUTER_REASONING_TOKENS,
        },
        worker: {
          effort: values.SUTURE_MODEL_WORKER_EFFORT,
          tokens: values.SUTURE_MODEL_WORKER_REASONING_TOKENS,
        },
        surgeon: {
          effort: values.SUTURE_MODEL_SURGEON_EFFORT,
          tokens: values.SUTURE_MODEL_SURGEON_REASONING_TOKENS,
        },
      },
      tokensMax: values.SUTURE_MODEL_ANSWER_TOKENS_MAX,
    },
    modelStreams: {
      by: {
        router: values.SUTURE_MODEL_ROUTER_STREAM,
        worker: values.SUTURE_MODEL_WORKER_STREAM,
        surgeon: values.SUTURE_MODEL_SURGEON_STREAM,
      },
      silentMs: values.SUTURE_MODEL_STREAM_SILENT_MS,
      wholeMs: values.SUTURE_MODEL_STREAM_TIMEOUT_MS,
    },
  };
}
