import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { compileServices } from "./compile-services.ts";

/** Compiles our services once for all processes that tests start: most are killed and would cache nothing. */
export default function compileOnce(project: TestProject): void {
  const folder = project.config.env["NODE_COMPILE_CACHE"];
  if (typeof folder === "string" && !existsSync(folder)) compileServices(project.config.root, folder);
}
