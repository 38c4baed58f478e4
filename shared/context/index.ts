export {
  Approval,
  approvalStep,
  isApprovalStep,
  openToolState,
  readOpenCalls,
  resumeCalls,
} from "./resume-calls.ts";
export type { ApprovalDecision, ResumableTool, ResumedCalls, ToolCall } from "./resume-calls.ts";
export { compress } from "./compress.ts";
export type { Compressed } from "./compress.ts";
export type { CompressionContext, CompressionOptions, CompressionStrategy } from "./summaries.ts";
export { ApprovalNeededError, ContextDefinitionError } from "./errors.ts";
export { COMPRESSION_ANSWERS, extraction } from "./summaries.ts";
export { readPacket, takeNeeded } from "./packet.ts";
export type { ContextNeed, ContextNeeds, ContextPacket } from "./packet.ts";
export { assertWithin, ceilingOf, loadTokenCounter, splitText } from "./tokens.ts";
export { selectFields } from "./packet.ts";
export type { CountTokens, TextRange, TokenCounters } from "./tokens.ts";
export { compressionStandIns } from "./stand-ins.ts";
export { readContext, writeContext } from "./written-context.ts";
