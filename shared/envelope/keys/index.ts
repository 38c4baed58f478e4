export { createMaster, deriveEdgeKey, issueKeyring, issueVerifyingKeyring } from "./issue-keys.ts";
export type { KeyEdge, KeyGenerations, KeyRecord } from "./key-record.ts";
export { Keyring } from "./keyring.ts";
export type { EnvelopeKey } from "./keyring.ts";
export {
  FIRST_GENERATION,
  introduceGeneration,
  promoteGeneration,
  retireGenerations,
} from "./rotate-keys.ts";
export { KeyringInvalidError, SigningKeyMissingError } from "../errors.ts";
