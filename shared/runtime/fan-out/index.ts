export { toMicro } from "./settle-fan-out.ts";
export { tendFanOuts } from "./tend-fan-outs.ts";
