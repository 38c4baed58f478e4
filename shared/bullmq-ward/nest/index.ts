export { BullmqWardModule, getWardToken } from "./ward-module.ts";
export type { BullmqWardModuleOptions } from "./ward-module.ts";
