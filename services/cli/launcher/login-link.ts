import { join } from "node:path";
import { randomHex } from "#shared/clock";
import { writeSecret } from "./secret-file.ts";

const TOKEN_BYTES = 24;

/** Makes a link that logs one browser in to the console once; the console reads the token from the data folder. */
export function makeLoginLink(dataDir: string, consoleUrl: string): string {
  const token = randomHex(TOKEN_BYTES);
  writeSecret(join(dataDir, "keys", "console-login"), token);
  return `${consoleUrl}/login#${token}`;
}
