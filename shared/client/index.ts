export { createClient } from "./create-client.ts";
export type { Client, ClientOptions, SubmitOptions, UploadOptions } from "./create-client.ts";
export {
  AnswerUnreadableError,
  GatewayProblemError,
  RedirectRefusedError,
  ResultTimedOutError,
  RunNotCompletedError,
  UnreachableError,
} from "./errors.ts";
export type { CallOptions, Run, WaitOptions } from "./open-run.ts";
export type { FileReference, RunEvent, RunSummary, RunView, TeamsOf, TeamTypes } from "./types.ts";
