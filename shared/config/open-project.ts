import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import { z } from "zod";
import { loadPackage } from "#shared/errors";
import { defineConfig, variablesOf } from "./define-config.ts";
import { ConfigError } from "./errors.ts";

const FILES = ["suture.config.ts", "suture.config.js", "suture.config.mjs"];

const projectSchema = z.strictObject({
  teams: z.string().min(1).optional(),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});

/**
 * Lays a project's `.env`, and below it what its `suture.config.ts` declares, under an environment, for `loadConfig`
 * to read. Does nothing in a folder without such a file.
 *
 * @param env - This process's own, so that the processes it starts have it too.
 * @returns Whether the folder is a project.
 * @throws {PackageMissingError} The project is not installed.
 * @throws {ConfigError} The file's default export is no configuration.
 */
export async function openProject(folder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const file = FILES.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (file === undefined) return false;
  const environment = join(folder, ".env");
  if (existsSync(environment)) layUnder(env, parseEnv(readFileSync(environment, "utf8")));
  const module: { default?: unknown } = await loadPackage(["suture"], () => import(pathToFileURL(file).href));
  const parsed = projectSchema.safeParse(module.default);
  if (!parsed.success)
    throw new ConfigError([
      {
        variable: "suture.config.ts",
        problem: `has a default export that is no configuration: ${z.prettifyError(parsed.error)}`,
        example: 'export default defineConfig({ teams: "teams" })',
      },
    ]);
  const { teams, settings } = parsed.data;
  // Names of settings are checked by defineConfig, for files that do not call it.
  const config = defineConfig({
    ...(teams === undefined ? {} : { teams }),
    ...(settings === undefined ? {} : { settings }),
  });
  layUnder(env, variablesOf(config));
  return true;
}

function layUnder(env: NodeJS.ProcessEnv, values: Readonly<NodeJS.Dict<string>>): void {
  for (const [name, value] of Object.entries(values)) env[name] ??= value;
}
