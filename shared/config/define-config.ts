import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import { z } from "zod";
import { loadPackage } from "#shared/errors";
import { ConfigError } from "./errors.ts";
import { VARIABLES } from "./variables.ts";
import type { VariableName } from "./variables.ts";

/** Declarations of a project, in its `suture.config.ts`. */
export interface ProjectConfig {
  /** Folder that holds a folder with a `team.ts` for each team. Default: `teams`. */
  readonly teams?: string;
  /** Settings by name; environment and `.env` come first. Secrets are refused: the file is kept with the code. */
  readonly settings?: Readonly<Partial<Record<VariableName, string | number | boolean>>>;
}

const TEAMS_DEFAULT = "teams";

/** Declares a project's `suture.config.ts`. @throws {ConfigError} A setting does not exist, or holds a secret. */
export function defineConfig(config: ProjectConfig): ProjectConfig {
  const names = Object.keys(config.settings ?? {});
  const problems = names.flatMap((name) => {
    if (!isVariable(name)) return [{ variable: name, problem: "is no setting of Suture", example: "" }];
    const { isSecret, example }: { readonly isSecret?: true; readonly example: string } = VARIABLES[name];
    const problem = "is a secret: set it in the environment or in .env, which is not kept with the code";
    return isSecret === true ? [{ variable: name, problem, example }] : [];
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Returns a project's configuration as the environment variables that it stands for. */
function variablesOf({ teams = TEAMS_DEFAULT, settings = {} }: ProjectConfig): Record<string, string> {
  const named = Object.entries(settings).map(([name, value]) => [name, String(value)]);
  return { SUTURE_TEAMS: teams, ...Object.fromEntries(named) };
}

export function isVariable(name: string): name is VariableName {
  return Object.hasOwn(VARIABLES, name);
}

const FILES = ["suture.config.ts", "suture.config.js", "suture.config.mjs"];

const projectSchema = z.strictObject({
  teams: z.string().min(1).optional(),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});

/**
 * Lays a project's `.env`, and below it what its `suture.config.ts` declares, under an environment.
 * @param env - This process's own, so that the processes it starts have it too.
 * @returns Whether the folder is a project. @throws {PackageMissingError | ConfigError}
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
