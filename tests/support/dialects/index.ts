import { anthropic, anthropicStrict } from "./anthropic.ts";
import { azure, azureOlder, azureReasoning } from "./azure.ts";
import type { Dialect } from "./dialect.ts";
import { gemini, geminiOlder } from "./gemini.ts";
import { liteLlm } from "./litellm.ts";
import { llamaCpp, llamaCppBare } from "./llama-cpp.ts";
import { mistral, mistralOlder } from "./mistral.ts";
import { ollama, ollamaOlder } from "./ollama.ts";
import { openAi, openAiOlder, openAiReasoning } from "./openai.ts";
import { vllm, vllmGemma, vllmOlder } from "./vllm.ts";

export type { ChatRequest, Dialect, Failure } from "./dialect.ts";
export { startDialect } from "./start-dialect.ts";
export type { DialectEndpoint, Think } from "./start-dialect.ts";

/** Every dialect, with the variants that differ in what they take. */
export const DIALECTS: readonly Dialect[] = [
  openAi,
  openAiReasoning,
  openAiOlder,
  azure,
  azureReasoning,
  azureOlder,
  vllm,
  vllmOlder,
  vllmGemma,
  ollama,
  ollamaOlder,
  llamaCpp,
  llamaCppBare,
  liteLlm,
  anthropic,
  anthropicStrict,
  gemini,
  geminiOlder,
  mistral,
  mistralOlder,
];
