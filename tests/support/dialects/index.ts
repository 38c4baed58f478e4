import { anthropic } from "./anthropic.ts";
import type { Dialect } from "./dialect.ts";
import { gemini, geminiOlder } from "./gemini.ts";
import { llamaCppBare } from "./llama-cpp.ts";
import { mistral } from "./mistral.ts";
import { ollama } from "./ollama.ts";
import { openAi, openAiOlder, openAiReasoning } from "./openai.ts";
import { vllmGemma } from "./vllm.ts";

export type { ChatRequest, Dialect, Failure } from "./dialect.ts";
export { startDialect } from "./start-dialect.ts";
export type { DialectEndpoint, Think } from "./start-dialect.ts";

/** One dialect for each way in which an endpoint differs from others. */
export const DIALECTS: readonly Dialect[] = [
  openAi,
  openAiReasoning,
  openAiOlder,
  vllmGemma,
  ollama,
  llamaCppBare,
  anthropic,
  gemini,
  geminiOlder,
  mistral,
];
