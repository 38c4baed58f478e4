export type { operations, paths } from "./generated.ts";
