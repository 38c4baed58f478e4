import { defineError } from "#shared/errors";

/** One variable that cannot be used as it is set. */
export interface ConfigProblem {
  /** Name of the environment variable. */
  readonly variable: string;
  /** Says the fault of the value, without a secret's value. */
  readonly problem: string;
  /** A value that would be taken. */
  readonly example: string;
}

/** The process was started with settings that cannot be used. It names all of them at once; nothing was started. */
export class ConfigError extends defineError((problems: readonly ConfigProblem[]) => ({
  code: "CONFIG_INVALID",
  failureClass: "handler_error",
  severity: "fatal",
  message: `The configuration cannot be used:\n${problems.map(describe).join("\n")}`,
  remedy: "Correct the variables named in the message, or unset them to use their defaults, and start again.",
  issues: problems.map(({ variable, problem }) => ({
    path: `/${variable}`,
    code: "bad_value",
    message: problem,
  })),
  problems,
})) {}

function describe({ variable, problem, example }: ConfigProblem): string {
  return `  ${variable} ${problem}, e.g. ${variable}=${example}`;
}
