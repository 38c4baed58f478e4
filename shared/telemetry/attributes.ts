/**
 * Names of span attributes and metrics, in one place: the GenAI conventions are still in development and will move.
 * None of them may carry payload text, prompts or answers.
 */
export const ATTRIBUTES = {
  runId: "suture.run_id",
  messageId: "messaging.message.id",
  messagingSystem: "messaging.system",
  messagingDestination: "messaging.destination.name",
  messagingOperationType: "messaging.operation.type",
  messagingOperationName: "messaging.operation.name",
  deliveries: "suture.deliveries",
  hops: "suture.hops",
  contract: "suture.contract",
  handoffType: "suture.handoff_type",
  /** From the sender's seal to the first step here, in ms: what a queue, a delay or the way itself took. */
  waitedMs: "suture.waited_ms",
  /** SHA-256 of the message's sealed text: with its id, what this step was given. */
  inputDigest: "suture.input.digest",
  /** What this step made: ids of messages, or the run's result. Empty where it made nothing. */
  outputs: "suture.outputs",
  tokens: "suture.tokens",
  costUsd: "suture.cost_usd",
  team: "gen_ai.workflow.name",
  outcome: "suture.outcome",
  failureClass: "suture.failure_class",
  caseId: "suture.case_id",
  procedure: "suture.procedure",
  errorType: "error.type",
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  agent: "gen_ai.agent.name",
  agentVersion: "gen_ai.agent.version",
  requestModel: "gen_ai.request.model",
  requestTokensMax: "gen_ai.request.max_tokens",
  requestTemperature: "gen_ai.request.temperature",
  responseModel: "gen_ai.response.model",
  finishReasons: "gen_ai.response.finish_reasons",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  systemInstructions: "gen_ai.system_instructions",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  cachedTokens: "gen_ai.usage.cache_read.input_tokens",
  reasoningTokens: "gen_ai.usage.reasoning.output_tokens",
  serverAddress: "server.address",
  serverPort: "server.port",
} as const;

/** Value of `messaging.system` in our spans. */
export const MESSAGING_SYSTEM = "bullmq";
