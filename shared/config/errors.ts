import { SutureError } from "#shared/errors";

/** One variable that cannot be used as it is set. */
export interface ConfigProblem {
  /** Name of the environment variable. */
  readonly variable: string;
  /** What is wrong with the value, without a secret's value. */
  readonly problem: string;
  /** A value that would be taken. */
  readonly example: string;
}

/** The process was started with settings that cannot be used. It names all of them at once; nothing was started. */
export class ConfigError extends SutureError {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(
      ({ variable, problem, example }) => `  ${variable} ${problem}, e.g. ${variable}=${example}`,
    );
    super({
      code: "CONFIG_INVALID",
      failureClass: "handler_error",
      severity: "fatal",
      message: `The configuration cannot be used:\n${lines.join("\n")}`,
      remedy:
        "Correct the variables named in the message, or unset them to use their defaults, and start again.",
      issues: problems.map(({ variable, problem }) => ({
        path: `/${variable}`,
        code: "bad_value",
        message: problem,
      })),
    });
    this.problems = problems;
  }
}
