export { compileSchema } from "./compile-schema.ts";
