import { defineError } from "#shared/errors";
import type { Fault } from "#shared/files";

/** JSON pointer to the file reference in a task's input. */
const FILE = "/file_references/0";

/** Nothing is stored under the reference, or it has expired. */
export class DocumentMissingError extends defineError({
  failureClass: "content_error",
  severity: "fatal",
  code: "DOCUMENT_MISSING",
  message: "Nothing is stored under the document's reference.",
  remedy: "Store the file with POST /v1/blobs, write its reference into the task, and release it.",
  issues: [{ path: `${FILE}/uri`, code: "missing", message: "nothing is stored under it" }],
}) {}

/** The file's length differs from its reference. */
export class DocumentLengthError extends defineError((said: number, found: string) => ({
  failureClass: "content_error",
  severity: "fatal",
  code: "DOCUMENT_LENGTH_WRONG",
  message: `The reference says ${said} bytes, and the file has ${found}.`,
  remedy: "Write the reference as POST /v1/blobs answered it.",
  issues: [{ path: `${FILE}/bytes`, code: "length_wrong", message: `the file has ${found}` }],
})) {}

/** The file is of a type that is not read here, by its bytes and not by its name. */
export class DocumentTypeRefusedError extends defineError((type: string) => ({
  failureClass: "content_error",
  severity: "fatal",
  code: "DOCUMENT_TYPE_REFUSED",
  message: `The file is ${type} by its bytes, which is not read here.`,
  remedy: "Send PDF, UBL or plain text, PNG or JPEG.",
  issues: [{ path: `${FILE}/mime_type`, code: "type_refused", message: `the bytes are ${type}` }],
})) {}

const FAULTS: Readonly<Record<Fault, string>> = {
  empty: "is empty",
  damaged: "is damaged or cut off",
  encrypted: "is locked by a password",
  without_text: "has no text in it that could be read",
  scan_unread: "is a scan whose words could not be read (see docs/teams/documents.md for packages that do)",
  too_many_pixels: "has more pixels than are read",
  too_many_pages: "has more pages than are read",
  too_much_text: "has more text than is read",
  too_much_memory: "takes more memory than it is given",
  too_slow: "takes longer to read than it is given",
};

/** The file is of a supported type and cannot be read. */
export class DocumentUnreadableError extends defineError((fault: Fault) => ({
  failureClass: "content_error",
  severity: "fatal",
  code: "DOCUMENT_UNREADABLE",
  message: `The file ${FAULTS[fault]}.`,
  remedy: "Ask the sender for a sound file, store it, write its reference into the task, and release it.",
  issues: [{ path: `${FILE}/sha256`, code: fault, message: `the file ${FAULTS[fault]}` }],
})) {}

/** The file is larger than what is read, or than what a model can be shown. */
export class DocumentTooLargeError extends defineError((bytesMax: string) => ({
  failureClass: "content_error",
  severity: "fatal",
  code: "DOCUMENT_TOO_LARGE",
  message: `The file has more than ${bytesMax} bytes.`,
  remedy: "Send it in parts, or a picture with fewer pixels.",
  issues: [{ path: `${FILE}/bytes`, code: "too_large", message: `at most ${bytesMax}` }],
})) {}

/** The document has more text than is read. */
export class DocumentTooLongError extends defineError((problem: string) => ({
  failureClass: "content_error",
  severity: "fatal",
  code: "DOCUMENT_TOO_LONG",
  message: `The document has ${problem}.`,
  remedy:
    "Look whether it is one document; send it in parts, or with a higher `token_limit` in the task's budget.",
  issues: [{ path: "/content/pages/characters", code: "too_long", message: problem }],
})) {}
