export { CONTRACT_EXTENSION, RUN_EXTENSION } from "./extensions.ts";
export { remoteAgent } from "./remote-agent.ts";
export type { RemoteAgentOptions } from "./remote-agent.ts";
export type { TaskCost } from "./read-answer.ts";
