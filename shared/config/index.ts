export { API_SCOPES } from "./api-key.ts";
export type { ApiKey, ApiScope } from "./api-key.ts";
export type { Config } from "./config.ts";
export { ConfigError } from "./errors.ts";
export type { ConfigProblem } from "./errors.ts";
export { loadConfig } from "./load-config.ts";
export type { ConfigOverrides } from "./load-config.ts";
export { Secret } from "./secret.ts";
export type { VariableName } from "./variables.ts";
