export {
  below,
  canonical,
  has,
  isObject,
  isSameJson,
  isWithinDepth,
  jsonValueOf,
  leavesOf,
  nameOf,
  scalarText,
  valueAt,
} from "./json-value.ts";
export type { JsonObject, JsonValue, Leaf } from "./json-value.ts";
export {
  alternativesOf,
  ANYTHING,
  asSchema,
  cachedBy,
  enumOf,
  flatten,
  fromBoolean,
  isListedIn,
  membersOf,
  propertiesOf,
} from "./resolve.ts";
export { asksForContainer, isDeclared, literalsOf } from "./declared.ts";
export type { ContractLiterals } from "./declared.ts";
export { faultKinds, genericPlace } from "./fault-kinds.ts";
export { schemaFault } from "./schema-fault.ts";
export { Places } from "./schema-at.ts";
export type { SchemaAt } from "./schema-at.ts";
export { satisfiesFormat } from "./validate/formats.ts";
export type { Verdicts } from "./validate/keywords.ts";
export { itemSchema, memberSchema, requiredOf } from "./validate/validate-values.ts";
export { validate, validateWithin } from "./validate/validate.ts";
