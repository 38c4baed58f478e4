import { now, sleep } from "#shared/clock";
import { NotFoundError } from "#shared/store";
import type { Logger } from "#shared/telemetry";
import { maskSecrets } from "../masking/masks.ts";
import type { Shown } from "../ward/see-run.ts";
import { casesOf, runsOf } from "./sources.ts";
import type { Entry, Source } from "./sources.ts";
import { TextIndex } from "./text-index.ts";
import type { Place } from "./text-index.ts";

/** Runs and cases that the index holds at most; the oldest are searched no more. */
const DOCS_MAX = 500_000;
/** Characters of one run or case that are taken up. */
const CHARS_MAX = 200_000;
/** Open ones that are looked at again, each round; those beyond are taken up as they last were. */
const OPEN_MAX = 1000;
/** Texts that are read at a time: the console has pages to answer meanwhile. */
const AT_A_TIME = 4;
/** Pause between two looks at what is new, in ms, and after a look that failed. */
const LOOK_EVERY_MS = 1000;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** One source, and how far it has been walked. */
interface Walk {
  readonly source: Source;
  /** What the index has since, in ms since the epoch; null: everything. */
  sinceMs: number | null;
  cursor: string | null;
  /** Open ones as they were last read. */
  readonly open: Map<string, Entry>;
}

/**
 * Finds runs and cases by what they hold, as a viewer may see it: it walks both from the newest to the oldest, and then
 * follows what comes and what changes.
 */
export class Search {
  private readonly index = new TextIndex(DOCS_MAX);
  private readonly walks: Readonly<Record<Place["kind"], Walk>>;
  private readonly logger: Logger;
  private readonly stopping: AbortSignal;
  private following: Promise<void> | null = null;

  constructor(console: Shown & { readonly logger: Logger; readonly stopping: AbortSignal }) {
    const walk = (source: Source): Walk => ({ source, sinceMs: Infinity, cursor: null, open: new Map() });
    this.walks = { run: walk(runsOf(console)), case: walk(casesOf(console)) };
    this.logger = console.logger;
    this.stopping = console.stopping;
  }

  /** Begins to read, once; until the console stops. */
  begin(): void {
    this.following ??= this.follow();
  }

  /** @returns The newest first, and since when the index has everything, in ms since the epoch; null: all of it. */
  async find(
    text: string,
    wanted: {
      readonly kind?: Place["kind"] | undefined;
      readonly teams: readonly string[] | null;
      readonly limit: number;
    },
  ): Promise<{ readonly found: readonly Entry[]; readonly sinceMs: number | null }> {
    this.begin();
    // An id is found before the index has come to it.
    const whole = text.trim().toLowerCase();
    const sources = UUID.test(whole) ? Object.values(this.walks).map(({ source }) => source) : [];
    const byId = await Promise.all(sources.map((source) => source.find(whole)));
    const named = byId
      .filter((one) => one !== null)
      .filter(({ team }) => wanted.teams?.includes(team) ?? true);
    const places = this.index.find(text, wanted);
    const others = await Promise.all(places.map((place) => this.findStill(place)));
    const found = [...named, ...others.filter((one) => one !== null)]
      .filter((one, at, all) => all.findIndex(({ id, kind }) => id === one.id && kind === one.kind) === at)
      .filter(({ kind }) => wanted.kind === undefined || kind === wanted.kind);
    const since = [this.walks.run.sinceMs, this.walks.case.sinceMs].filter((ms) => ms !== null);
    return {
      found: found.slice(0, wanted.limit),
      sinceMs: since.length === 0 ? null : Math.min(now(), Math.max(...since)),
    };
  }

  private async findStill(place: Place): Promise<Entry | null> {
    const entry = await this.walks[place.kind].source.find(place.id);
    if (entry === null) this.index.remove(place);
    return entry;
  }

  private async follow(): Promise<void> {
    while (!this.stopping.aborted) {
      try {
        for (const walk of Object.values(this.walks)) await this.readNew(walk);
        for (const walk of Object.values(this.walks)) await this.readChanged(walk);
        await this.readOlder();
        await sleep(this.isWhole ? LOOK_EVERY_MS : 0, this.stopping);
      } catch (error) {
        if (this.stopping.aborted) break;
        this.logger.debug({ err: error }, "the search index could not be read on");
        await sleep(LOOK_EVERY_MS, this.stopping).catch(() => undefined);
      }
    }
    this.index.close();
  }

  private get isWhole(): boolean {
    return Object.values(this.walks).every(({ sinceMs }) => sinceMs === null);
  }

  /** Reads what came since the last look: from the newest down to one that is known. */
  private async readNew(walk: Walk): Promise<void> {
    let cursor: string | null = null;
    do {
      const page = await walk.source.page(cursor);
      const fresh = page.entries.filter((one) => !this.index.has(one));
      await this.takeUp(walk, fresh);
      if (walk.sinceMs === Infinity) {
        // The first look: the walk to the oldest begins behind it.
        walk.cursor = page.cursor;
        walk.sinceMs = page.cursor === null ? null : (page.entries.at(-1)?.atMs ?? null);
        return;
      }
      cursor = fresh.length < page.entries.length ? null : page.cursor;
    } while (cursor !== null && !this.stopping.aborted);
  }

  private async readChanged(walk: Walk): Promise<void> {
    const seen = [...walk.open.values()];
    for (let at = 0; at < seen.length && !this.stopping.aborted; at += AT_A_TIME) {
      const some = seen.slice(at, at + AT_A_TIME);
      const present = await Promise.all(some.map(({ id }) => walk.source.find(id)));
      for (const [i, { id }] of some.entries()) if (present[i] === null) walk.open.delete(id);
      await this.takeUp(
        walk,
        present.filter((one) => one !== null).filter(({ id, stamp }) => walk.open.get(id)?.stamp !== stamp),
      );
    }
  }

  /** One page further back in each source. */
  private async readOlder(): Promise<void> {
    for (const walk of Object.values(this.walks)) {
      if (walk.sinceMs === null) continue;
      const page = await walk.source.page(walk.cursor);
      await this.takeUp(walk, page.entries);
      walk.cursor = page.cursor;
      walk.sinceMs = page.cursor === null ? null : (page.entries.at(-1)?.atMs ?? walk.sinceMs);
    }
  }

  private async takeUp(walk: Walk, entries: readonly Entry[]): Promise<void> {
    for (let at = 0; at < entries.length && !this.stopping.aborted; at += AT_A_TIME)
      await Promise.all(entries.slice(at, at + AT_A_TIME).map((one) => this.takeUpOne(walk, one)));
  }

  private async takeUpOne({ source, open }: Walk, entry: Entry): Promise<void> {
    let seen: unknown;
    try {
      seen = await source.see(entry.id);
    } catch (error) {
      if (error instanceof NotFoundError) return void open.delete(entry.id);
      // A damaged record is found by what lists have of it.
      this.logger.debug({ err: error, id: entry.id }, "a text could not be read for the search index");
      seen = entry;
    }
    if (this.stopping.aborted) return;
    this.index.put(entry, JSON.stringify(maskSecrets(seen)).slice(0, CHARS_MAX));
    open.delete(entry.id);
    if (entry.isOpen && open.size < OPEN_MAX) open.set(entry.id, entry);
  }
}
