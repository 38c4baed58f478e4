import { readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#shared/config";
import { Keyring, KeyringInvalidError } from "#shared/envelope";
import type { Logger } from "#shared/telemetry";
import { KeyFileMissingError, KeyFileSharedError } from "./key-file-errors.ts";

/** So many keys are named in one line of the log. */
const KEYS_TOLD_MAX = 20;

/** The keys of this process, as its file has them at each moment. */
export interface KeyFile {
  /** Stays the same object; its keys are replaced. */
  readonly keyring: Keyring;
  close(): void;
}

/**
 * Reads the keys of this process and goes on watching their file: after a rotation the new keys are used without a
 * restart. A file that cannot be read, is no key file, or no longer signs for an agent that this process signs for
 * is told of as an error, once, and the keys stay as they were.
 *
 * In the profile `isolated` no key signs that its receiver could sign with. Shared secrets that still verify, as an
 * operator may keep them for what was sealed before, are warned of.
 *
 * @param name - Of the file below the data folder, where `SUTURE_KEYS` names none.
 * @throws {KeyFileMissingError | KeyringInvalidError}
 * @throws {KeyFileSharedError} The process is isolated, and a key that signs is a shared secret.
 */
export function openKeyFile(
  config: Pick<Config, "dataDir" | "edgeKeysFile" | "keysCheckMs" | "trust">,
  name: string,
  logger: Logger,
): KeyFile {
  const file = config.edgeKeysFile ?? join(config.dataDir, "keys", `${name}.json`);
  const text = readAtStart(file, name);
  const isIsolated = config.trust === "isolated";
  const keyring = Keyring.fromJson(text);
  if (isIsolated) refuseShared(keyring, file, logger);
  const watch = new KeyFileWatch(file, { text, keyring, isIsolated }, logger);
  const timer = setInterval(() => void watch.look(), config.keysCheckMs).unref();
  return { keyring: watch.keyring, close: () => clearInterval(timer) };
}

function readAtStart(file: string, name: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new KeyFileMissingError(file, name);
  }
}

function refuseShared(keyring: Keyring, file: string, logger: Logger): void {
  const { signing, verifying } = keyring.sharedSecrets();
  const [first] = signing;
  if (first !== undefined) throw new KeyFileSharedError(file, first);
  if (verifying.length > 0)
    logger.warn(
      { file, keys: verifying.slice(0, KEYS_TOLD_MAX), count: verifying.length },
      "shared secrets still verify: whoever has them can seal as their senders; retire their generation",
    );
}

class KeyFileWatch {
  readonly keyring: Keyring;
  readonly #file: string;
  readonly #logger: Logger;
  readonly #isIsolated: boolean;
  #text: string;
  /** What the file system said of the file when it was last read. */
  #mark = "";
  #isLooking = false;

  constructor(
    file: string,
    read: { readonly text: string; readonly keyring: Keyring; readonly isIsolated: boolean },
    logger: Logger,
  ) {
    this.#file = file;
    this.#isIsolated = read.isIsolated;
    this.#text = read.text;
    this.keyring = read.keyring;
    this.#logger = logger;
  }

  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const mark = await markOf(this.#file);
      if (mark === this.#mark) return;
      this.#mark = mark;
      const text = await readFile(this.#file, "utf8");
      if (text === this.#text) return;
      this.#text = text;
      this.keyring.replaceWith(this.#accept(Keyring.fromJson(text)));
      this.#logger.info({ file: this.#file, ...this.keyring.describe() }, "new keys are in use");
    } catch (error) {
      this.#logger.error({ err: error, file: this.#file }, "new keys cannot be used: the old ones stay");
    } finally {
      this.#isLooking = false;
    }
  }

  #accept(ring: Keyring): Keyring {
    const { senders } = ring.describe();
    const missing = this.keyring.describe().senders.find((sender) => !senders.includes(sender));
    if (missing !== undefined) throw new KeyringInvalidError(`it no longer signs for ${missing}`);
    if (this.#isIsolated) refuseShared(ring, this.#file, this.#logger);
    return ring;
  }
}

/** Changes with every way of replacing a file. A file that is gone has a mark too, so that it is told of once. */
async function markOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return found === null ? "gone" : `${found.ino}:${found.mtimeMs}:${found.size}`;
}
