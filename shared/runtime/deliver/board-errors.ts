import { SutureError } from "#shared/errors";

/** The name of a board or entry is malformed. */
export class BoardInvalidError extends SutureError {
  constructor(what: "name" | "key" | "conversation") {
    super({
      code: "BOARD_INVALID",
      failureClass: "handler_error",
      message: `A board's ${what} is malformed.`,
      remedy:
        "Names are lower-case letters, digits and hyphens; keys of entries have 1 to 256 characters, ids of conversations 1 to 200.",
    });
  }
}

/** A write would exceed a limit of its board. */
export class BoardFullError extends SutureError {
  constructor(board: string, of: "bytes" | "entries" | "writes") {
    super({
      code: "BOARD_FULL",
      failureClass: "handler_error",
      message: `The board ${board} holds no more ${of}.`,
      remedy: "Write less, or file references; raise the board's limits only if that much is intended.",
      issues: [{ path: `/${of}`, code: "board_full", message: `no more ${of}` }],
    });
  }
}

/** Too many conflicts on one entry. */
export class BoardContendedError extends SutureError {
  constructor(board: string) {
    super({
      code: "BOARD_CONTENDED",
      failureClass: "transient",
      message: `An entry of the board ${board} was changed by other writers at every attempt to write it.`,
      remedy:
        "No action needed: the message is retried. If it happens often, give each writer its own entries.",
    });
  }
}
