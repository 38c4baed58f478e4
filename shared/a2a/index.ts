export { CONTRACT_EXTENSION, RUN_EXTENSION, SEALED_EXTENSION } from "./sealed.ts";
export { remoteAgent } from "./remote-agent.ts";
export { serveBeside } from "./served/serve-beside.ts";
export type { ServedBeside } from "./served/serve-beside.ts";
export { servedAgent } from "./served/served-agent.ts";
export type { ServedAgent, ServedAgentOptions, ServedContext } from "./served/served-agent.ts";
export type { RemoteAgentOptions } from "./remote-agent.ts";
export { isSealed, openPart, sealPart } from "./sealed.ts";
