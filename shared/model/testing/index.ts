export { CALL, openEndpoint, sendJson } from "./open-endpoint.ts";
export type { Answer } from "./open-endpoint.ts";
