export { isServedAgent, servedAgent } from "./served-agent.ts";
export type { ServedAgent } from "./served-agent.ts";
export { serveAgent } from "./serve-agent.ts";
export type { ServingOptions } from "./serve-agent.ts";
