export { originalSealOf, seal, sealBytes, verifyOriginalSeal } from "./seal.ts";
export { digestOf } from "./sign-record.ts";
export { open, openBytes, unpackText } from "./open.ts";
export type { Sealed } from "./seal.ts";
export type { OriginalSeal } from "./sealed-message.ts";
export type { SealedMessage } from "./sealed-message.ts";
export { signRecord, verifyRecord } from "./sign-record.ts";
export type { RecordSeal, SignedRecord } from "./sign-record.ts";
export { UntrustedMessageError } from "../errors.ts";
