import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { join } from "node:path";
import type { Config } from "#shared/config";
import { Keyring, KeyringInvalidError } from "#shared/envelope/keys";
import { defineError } from "#shared/errors";
import type { Logger } from "#shared/telemetry";

/** Keys of this process, reloaded when their file changes. */
export interface KeyFile {
  /** The object stays the same; its keys are replaced. */
  readonly keyring: Keyring;
  close(): void;
}

/**
 * Reads the keys of this process and watches their file, so that a key rotation needs no restart. A file that cannot be
 * read, is malformed, or no longer signs for one of this process's agents is reported once as an error, and the keys
 * stay unchanged.
 * @param name - File name below the data folder, if `SUTURE_KEYS` names none.
 * @throws {KeyFileMissingError | KeyringInvalidError}
 */
export function openKeyFile(
  config: Pick<Config, "dataDir" | "edgeKeysFile" | "keysCheckMs">,
  name: string,
  logger: Logger,
): KeyFile {
  const file = config.edgeKeysFile ?? join(config.dataDir, "keys", `${name}.json`);
  let text = readAtStart(file, name);
  const keyring = Keyring.fromJson(text);
  const look = (): void => {
    try {
      const found = readFileSync(file, "utf8");
      if (found === text) return;
      text = found;
      keyring.replaceWith(accepted(Keyring.fromJson(found), keyring));
      logger.info({ file, ...keyring.describe() }, "new keys are in use");
    } catch (error) {
      logger.error({ err: error, file }, "new keys cannot be used: the old ones stay");
    }
  };
  watchFile(file, { interval: config.keysCheckMs, persistent: false }, look);
  // A change may have been written before the watch began.
  setImmediate(look);
  return { keyring, close: () => unwatchFile(file, look) };
}

function readAtStart(file: string, name: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new KeyFileMissingError(file, name);
  }
}

function accepted(ring: Keyring, before: Keyring): Keyring {
  const { senders } = ring.describe();
  const missing = before.describe().senders.find((sender) => !senders.includes(sender));
  if (missing !== undefined) throw new KeyringInvalidError(`it no longer signs for ${missing}`);
  return ring;
}

/** The key file of this process cannot be read. */
export class KeyFileMissingError extends defineError((file: string, name: string) => ({
  code: "KEY_FILE_MISSING",
  failureClass: "handler_error",
  severity: "fatal",
  message: `The keys of this process cannot be read from ${file}.`,
  remedy:
    `Start it with \`npx suture\`, which issues them, or issue them with \`npx suture keys issue ${name}\` ` +
    "where the master is and name the file in SUTURE_KEYS=@file.",
})) {}
