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

/** An isolated process signs with shared secrets, so that receivers could forge its messages. */
export class KeyFileSharedError extends SutureError {
  constructor(file: string, keyId: string) {
    super({
      code: "KEY_FILE_SHARED",
      failureClass: "handler_error",
      severity: "fatal",
      message: `SUTURE_TRUST=isolated, and ${keyId} of ${file} signs with a shared secret.`,
      remedy:
        "Run `npx suture keys rotate` twice where the master is, with SUTURE_TRUST=isolated: the new keys are Ed25519 " +
        "pairs. Carry the file here again if it was issued elsewhere.",
    });
  }
}
