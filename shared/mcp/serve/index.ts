export { answerMcp, bridgeToStdio, serverOfTools } from "./serve-tools.ts";
export type { ServedTools } from "./serve-tools.ts";
