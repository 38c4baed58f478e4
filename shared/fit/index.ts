export { compileFit } from "./compile-fit.ts";
