export { checkRouting, decodeCarried, encodeCarried, routingOf } from "./carried-message.ts";
export type { CarriedMessage, Routing } from "./carried-message.ts";
export { RoutingMismatchError, WireMalformedError } from "./errors.ts";
