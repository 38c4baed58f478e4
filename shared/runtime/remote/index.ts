export { RunCancelledError } from "../errors.ts";
export type { RemoteCall, RemoteReply } from "../define/handler-context.ts";
