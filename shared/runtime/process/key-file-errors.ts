import { SutureError } from "#shared/errors";

/** The key file of this process cannot be read. */
export class KeyFileMissingError extends SutureError {
  constructor(file: string, name: string) {
    super({
      code: "KEY_FILE_MISSING",
      failureClass: "handler_error",
      severity: "fatal",
      message: `The keys of this process cannot be read from ${file}.`,
      remedy:
        `Start it with \`npx suture\`, which issues them, or issue them with \`npx suture keys issue ${name}\` ` +
        "where the master is and name the file in SUTURE_KEYS=@file.",
    });
  }
}
