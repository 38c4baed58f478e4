export { ENGINES } from "./engines.ts";
export type { Engine } from "./engines.ts";
