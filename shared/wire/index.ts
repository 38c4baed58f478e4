export { checkRouting, decodeCarried, encodeCarried, routingOf } from "./carried-message.ts";
export type { CarriedMessage } from "./carried-message.ts";
