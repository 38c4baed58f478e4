export { admissionOf, PAYLOAD_INVALID } from "./admission-of.ts";
