export { FairLimit } from "../fair-limit.ts";
