export { isServedAgent } from "./served-agent.ts";
export type { ServedAgent } from "./served-agent.ts";
export { serveAgent } from "./serve-agent.ts";
