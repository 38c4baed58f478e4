export { compileFit } from "./compile-fit.ts";
export type { Fit } from "./compile-fit.ts";
