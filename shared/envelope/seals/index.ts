export { originalSealOf, seal, sealBytes, verifyOriginalSeal } from "./seal.ts";
export { digestOf } from "./signature.ts";
export { open, openBytes, unpackText } from "./open.ts";
export type { Sealed } from "./seal.ts";
export type { OriginalSeal } from "./sealed-message.ts";
export type { SealedMessage } from "./sealed-message.ts";
export { UntrustedMessageError } from "../errors.ts";
