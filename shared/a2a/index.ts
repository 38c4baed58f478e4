export { CONTRACT_EXTENSION, RUN_EXTENSION, SEALED_EXTENSION } from "./sealed.ts";
export { remoteAgent } from "./remote-agent.ts";
export { servedAgent } from "./served/served-agent.ts";
export type { ServedAgent, ServedAgentOptions, ServedContext } from "./served/served-agent.ts";
export type { RemoteAgentOptions } from "./remote-agent.ts";
export type { TaskCost } from "./read-answer.ts";
export { isSealed, openPart, sealPart } from "./sealed.ts";
