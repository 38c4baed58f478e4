import type { Archive } from "#shared/archive";
import { now } from "#shared/clock";
import type { Logger } from "#shared/telemetry";
import type { Place, Wanted } from "./text-index.ts";

type Read = readonly (readonly [place: Place, text: string])[];

/** Texts that wait while the archive is away; further ones are read again by the walk after the next start. */
const WAITING_MAX = 1000;

/**
 * Words of what has ended, in the archive: they are written while it is still in Redis with all its values, and found
 * after it has left.
 */
export class ArchivedWords {
  private readonly archive: Archive;
  private readonly logger: Logger;
  private waiting: Read = [];
  private isAway = false;

  constructor(archive: Archive, logger: Logger) {
    this.archive = archive;
    this.logger = logger;
  }

  /** While the archive is away: runs that began later are all in Redis. In ms since the epoch; null: it answers. */
  get missedBeforeMs(): number | null {
    return this.isAway ? now() - this.archive.afterMs : null;
  }

  /** Takes up texts, and those that waited. While it is away, they wait. */
  async put(read: Read): Promise<void> {
    const all = [...this.waiting, ...read];
    if (all.length === 0) return;
    this.waiting =
      (await this.use(async () => this.archive.texts.put(all).then(() => []))) ?? all.slice(-WAITING_MAX);
  }

  /** Returns nothing while it is away; `missedBeforeMs` says so. */
  async find(words: string, wanted: Wanted): Promise<readonly Place[]> {
    return (await this.use(() => this.archive.texts.find(words, wanted))) ?? [];
  }

  /** Returns the entries that are not archived with their words. @throws {ArchiveUnavailableError} */
  async withoutKnown<Entry extends Place & { readonly isArchived: boolean }>(
    entries: readonly Entry[],
  ): Promise<Entry[]> {
    const [first] = entries;
    if (first === undefined) return [];
    const ids = entries.filter(({ isArchived }) => isArchived).map(({ id }) => id);
    const known = await this.archive.texts.known(first.kind, ids);
    return entries.filter(({ id }) => !known.has(id));
  }

  private async use<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      const result = await work();
      this.isAway = false;
      return result;
    } catch (error) {
      this.isAway = true;
      this.logger.debug({ err: error }, "the archive is away: its words are not searched");
      return null;
    }
  }
}
