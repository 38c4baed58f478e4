import { anthropic, gemini, geminiOlder, mistral } from "./hosted.ts";
import type { Dialect } from "./dialect.ts";
import { llamaCppBare, ollama, vllmGemma } from "./local-servers.ts";
import { openAi, openAiOlder, openAiReasoning } from "./openai.ts";

export type { Dialect, Failure } from "./dialect.ts";
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
