export {
  canonical,
  copyOf,
  has,
  isEmptyContainer,
  isObject,
  isSameJson,
  isWithinDepth,
  scalarText,
} from "./json-value.ts";
export type { JsonObject, JsonValue } from "./json-value.ts";
export { below, collapseIndices } from "./pointer.ts";
export { leavesOf, nameOf, valueAt } from "./leaves.ts";
export type { Leaf } from "./leaves.ts";
export { alternativesOf, ANYTHING, asSchema, flatten, fromBoolean, propertiesOf } from "./resolve.ts";
export { enumOf, isListedIn, membersOf } from "./enum-of.ts";
export { asksForContainer, isDeclared } from "./is-declared.ts";
export { literalsOf } from "./contract-literals.ts";
export type { ContractLiterals } from "./contract-literals.ts";
export { schemaFault } from "./schema-fault.ts";
export { Places } from "./schema-at.ts";
export type { SchemaAt } from "./schema-at.ts";
export { satisfiesFormat } from "./validate/formats.ts";
export type { Verdicts } from "./validate/checking.ts";
export { itemSchema } from "./validate/validate-array.ts";
export { memberSchema, requiredOf } from "./validate/validate-object.ts";
export { validate, validateWithin } from "./validate/validate.ts";
