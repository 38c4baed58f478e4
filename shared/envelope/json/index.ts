export { checkValue } from "./check-value.ts";
export {
  parseBounded,
  parseJson,
  parseOutside,
  readBytes,
  readJsonAnswer,
  repeatsName,
} from "./parse-bounded.ts";
export { JsonBoundError, JsonSyntaxError } from "../errors.ts";
