export { checkPayload, toIssues } from "./check.ts";
export { checkAnswered, checkDistinct, flatten } from "./checks.ts";
export { contract, sensitive, withCheck } from "./contract.ts";
export type { Contract, ContractInput, ContractOptions, ContractOutput, SemanticCheck } from "./contract.ts";
export {
  ContractDefinitionError,
  PayloadContentError,
  PayloadInvalidError,
  UnknownContractError,
  UnsupportedContractVersionError,
} from "./errors.ts";
export { ContractRegistry } from "./registry.ts";
