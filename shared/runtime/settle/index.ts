export { admission } from "./admission.ts";
export { handoffBounds } from "./count-handoffs.ts";
