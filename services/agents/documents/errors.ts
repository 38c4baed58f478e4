import { SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import type { Fault } from "#shared/files";

/** JSON pointer to the file reference in a task's input. */
const FILE = "/file_references/0";

/** A document that no machine can mend: a person asks for another. */
class DocumentError extends SutureError {
  constructor(code: string, message: string, remedy: string, issue: Issue) {
    super({ code, failureClass: "content_error", severity: "fatal", message, remedy, issues: [issue] });
  }
}

/** Nothing is stored under the reference, or it has expired. */
export class DocumentMissingError extends DocumentError {
  constructor() {
    super(
      "DOCUMENT_MISSING",
      "Nothing is stored under the document's reference.",
      "Store the file with POST /v1/blobs, write its reference into the task, and release it.",
      { path: `${FILE}/uri`, code: "missing", message: "nothing is stored under it" },
    );
  }
}

/** The file's length differs from its reference. */
export class DocumentLengthError extends DocumentError {
  constructor(bytes: { readonly said: number; readonly found: number }) {
    super(
      "DOCUMENT_LENGTH_WRONG",
      `The reference says ${bytes.said} bytes, and the file has ${bytes.found}.`,
      "Write the reference as POST /v1/blobs answered it.",
      { path: `${FILE}/bytes`, code: "length_wrong", message: `the file has ${bytes.found}` },
    );
  }
}

/** The file is of a type that is not read here, by its bytes and not by its name. */
export class DocumentTypeRefusedError extends DocumentError {
  constructor(type: string) {
    super(
      "DOCUMENT_TYPE_REFUSED",
      `The file is ${type} by its bytes, which is not read here.`,
      "Send PDF, UBL or plain text, PNG or JPEG.",
      { path: `${FILE}/mime_type`, code: "type_refused", message: `the bytes are ${type}` },
    );
  }
}

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
export class DocumentUnreadableError extends DocumentError {
  constructor(fault: Fault) {
    super(
      "DOCUMENT_UNREADABLE",
      `The file ${FAULTS[fault]}.`,
      "Ask the sender for a sound file, store it, write its reference into the task, and release it.",
      { path: `${FILE}/sha256`, code: fault, message: `the file ${FAULTS[fault]}` },
    );
  }
}

/** The file is larger than what is read, or than what a model can be shown. */
export class DocumentTooLargeError extends DocumentError {
  constructor(bytesMax: number) {
    super(
      "DOCUMENT_TOO_LARGE",
      `The file has more than ${bytesMax} bytes.`,
      "Send it in parts, or a picture with fewer pixels.",
      { path: `${FILE}/bytes`, code: "too_large", message: `at most ${bytesMax}` },
    );
  }
}

/** The document has more text than is read. */
export class DocumentTooLongError extends DocumentError {
  constructor(problem: string) {
    super(
      "DOCUMENT_TOO_LONG",
      `The document has ${problem}.`,
      "Look whether it is one document; send it in parts, or with a higher `token_limit` in the task's budget.",
      { path: "/content/pages/characters", code: "too_long", message: problem },
    );
  }
}
