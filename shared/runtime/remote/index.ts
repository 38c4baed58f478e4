export { RunCancelledError } from "../errors.ts";
export type { RemoteCall, RemoteReply } from "./remote-request.ts";
