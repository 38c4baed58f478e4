export {
  createMaster,
  deriveEdgeKey,
  FIRST_GENERATION,
  introduceGeneration,
  issueKeyring,
  issueVerifyingKeyring,
  promoteGeneration,
  retireGenerations,
} from "./issue-keys.ts";
export type { EnvelopeKey, KeyEdge, KeyGenerations, KeyRecord } from "./keyring.ts";
export { Keyring } from "./keyring.ts";
export { KeyringInvalidError } from "../errors.ts";
