export { checkAnswered, checkDistinct, checkPayload, flatten, toIssues } from "./check.ts";
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
export { toJsonSchema } from "./to-json-schema.ts";
export type { ObjectSchema } from "./to-json-schema.ts";
