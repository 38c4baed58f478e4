export { checkValue } from "./check-value.ts";
export { parseBounded } from "./parse-bounded.ts";
export { parseJson, repeatsName } from "./parse-json.ts";
export { parseOutside, readJsonAnswer } from "./parse-outside.ts";
export { JsonBoundError, JsonSyntaxError } from "../errors.ts";
