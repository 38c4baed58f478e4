export { CALL, openEndpoint, sendJson } from "./open-endpoint.ts";
