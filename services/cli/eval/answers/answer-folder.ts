import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomHex } from "#shared/clock";

/**
 * Answers of a model endpoint in a folder, a file each, by endpoint and whole request. A request that is asked several
 * times (votes of an ensemble) has an answer for each time, in turn: votes stay independent, and a repeated
 * measurement gets the same ones again. No key is kept: the request's headers are not part of it.
 */
export class AnswerFolder {
  readonly #folder: string;
  readonly #endpoint: string;
  readonly #asked = new Map<string, number>();

  /** Creates the folder, for this user alone, where it is missing. */
  constructor(folder: string, endpoint: string) {
    this.#folder = folder;
    this.#endpoint = endpoint;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Gives the place of the next answer to this request. */
  placeFor(request: string): string {
    const digest = createHash("sha256").update(`${this.#endpoint}\n${request}`).digest("hex");
    const times = this.#asked.get(digest) ?? 0;
    this.#asked.set(digest, times + 1);
    return join(this.#folder, `${digest}-${times}.json`);
  }

  /** Returns the kept answer; null for none. */
  read(place: string): string | null {
    try {
      return readFileSync(place, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    }
  }

  /** Keeps an answer. A reader sees all of it or nothing. */
  keep(place: string, answer: string): void {
    const draft = `${place}.${randomHex(4)}`;
    writeFileSync(draft, answer, { mode: 0o600 });
    renameSync(draft, place);
  }
}
