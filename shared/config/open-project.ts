import { existsSync, readFileSync, statSync } from "node:fs";
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

/** Reads a variable's JSON text. The problem names the place that is wrong, and no value. */
export function readJson<Value>(
  schema: z.ZodType<Value>,
  text: string,
): { readonly value: Value } | { readonly problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: "is not JSON" };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const issue = parsed.error.issues[0];
  return { problem: `is wrong at ${issue?.path.join(".") || "its top"}: ${issue?.message ?? "not valid"}` };
}

/** Larger than any list of keys or prices. */
const FILE_BYTES_MAX = 1024 * 1024;

/** Reads the file that a variable names with `@`. The problem, if any, names the path and nothing of the content. */
export function readReferencedFile(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const found = statSync(path);
    if (!found.isFile()) return { problem: `names ${path}, which is not a file` };
    if (found.size > FILE_BYTES_MAX)
      return { problem: `names ${path}, which is larger than ${FILE_BYTES_MAX} bytes` };
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "no reason given";
    return { problem: `names ${path}, which cannot be read (${code})` };
  }
}
