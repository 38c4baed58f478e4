export { serveMcpRequest } from "./serve-http.ts";
export { serveMcpStdio } from "./serve-stdio.ts";
export type { ServedCall, ServedRun, TeamsPort } from "./teams-port.ts";
