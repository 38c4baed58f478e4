import { errorClass } from "#shared/errors";

/** A check of the desk found fault with a snippet. */
export const SnippetRefusedError = errorClass("GALLERY_SNIPPET_REFUSED", (problem: string) => ({
  failureClass: "content_error",
  message: `The snippet has a fault: ${problem}.`,
  remedy: "Correct the snippet and submit it again; its card names the fault.",
}));
