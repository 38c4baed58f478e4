import { SutureError } from "#shared/errors";

/** A recipe file of a team is invalid. Found at start-up. */
export class RecipeFileError extends SutureError {
  constructor(file: string, problem: string) {
    super({
      code: "RECIPE_FILE",
      failureClass: "handler_error",
      severity: "fatal",
      message: `The recipe ${file} cannot be used: ${problem}.`,
      remedy: "Correct or remove the file and start again.",
    });
  }
}
