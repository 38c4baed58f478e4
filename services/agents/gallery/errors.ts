import { SutureError } from "#shared/errors";

/** A check of the desk found fault with a snippet. */
export class SnippetRefusedError extends SutureError {
  constructor(problem: string) {
    super({
      code: "GALLERY_SNIPPET_REFUSED",
      failureClass: "content_error",
      message: `The snippet has a fault: ${problem}.`,
      remedy: "Correct the snippet and submit it again; its card names the fault.",
    });
  }
}
