import { ConfigError } from "./errors.ts";
import { VARIABLES } from "./variables.ts";
import type { VariableName } from "./variables.ts";

/** What a project declares in its `suture.config.ts`. */
export interface ProjectConfig {
  /** Folder that holds a folder with a `team.ts` for each team. Default: `teams`. */
  readonly teams?: string;
  /**
   * Settings by name, as `docs/reference/settings.md` lists them. The environment and `.env` come first. Secrets are
   * refused, because the file is kept with the code.
   */
  readonly settings?: Readonly<Partial<Record<VariableName, string | number | boolean>>>;
}

const TEAMS_DEFAULT = "teams";

/**
 * Declares a project's configuration: the default export of `suture.config.ts` in the folder where `suture` is run.
 *
 * @throws {ConfigError} A setting does not exist, or holds a secret.
 */
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
export function variablesOf({ teams = TEAMS_DEFAULT, settings = {} }: ProjectConfig): Record<string, string> {
  const named = Object.entries(settings).map(([name, value]) => [name, String(value)]);
  return { SUTURE_TEAMS: teams, ...Object.fromEntries(named) };
}

function isVariable(name: string): name is VariableName {
  return Object.hasOwn(VARIABLES, name);
}
