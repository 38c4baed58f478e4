import { ArchiveUnavailableError } from "#shared/archive";
import type { Archive } from "#shared/archive";
import { findUser, listRunSteps } from "#shared/api";
import { listRuns, viewRun } from "#shared/api/run-views";
import { now } from "#shared/clock";
import { maskSecrets } from "#shared/guard";
import { every } from "#shared/runtime/process";
import { NotFoundError } from "#shared/store";
import { OPEN_CASE_STATUSES } from "#shared/store/cases";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { ListedRun } from "#shared/store/runs";
import type { Logger } from "#shared/telemetry";
import { findCases, getCase, toWardCase } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { seeRun } from "../ward/see-run.ts";
import type { Shown } from "../ward/see-run.ts";
import { viewCase } from "../ward/view-case.ts";
import { ArchivedWords } from "./archived-words.ts";
import { TextIndex } from "./text-index.ts";
import type { Place, Wanted } from "./text-index.ts";

/** Runs and cases that the index holds at most; the oldest are searched no more. */
const DOCS_MAX = 500_000;
/** Characters of one run or case that are taken up. */
const CHARS_MAX = 200_000;
/** Open ones that are looked at again in turn; those beyond are found by what they were when they came. */
const OPEN_MAX = 1000;
/** Of these at a look: the last one's turn comes after half a minute. */
const OPEN_AT_A_LOOK = 40;
/** Texts that are read at a time: the console has pages to answer meanwhile. */
const AT_A_TIME = 8;
/** Entries of a page; and of a look at what is new. */
const PAGE = 100;
const GLANCE = 5;
/** Pause between two looks at what is new, in ms. */
const LOOK_EVERY_MS = 1000;
/** Time after a look in which older ones are read, in ms. */
const BACK_FOR_MS = 3000;

/** Steps of a run whose values are read. */
const STEPS_MAX = 200;

const KINDS = ["run", "case"] as const;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** A run or a case as lists have it. */
interface Entry extends Place {
  readonly status: string;
  /** Changes with whatever may change its text. */
  readonly stamp: string;
  /** True while its text may still change. */
  readonly isOpen: boolean;
  /** It has left Redis. */
  readonly isArchived: boolean;
}

/** A list of runs or cases that is searched, the newest first. */
interface Source {
  /** @param isNew - Only what is in Redis: it can be read while the archive is away. */
  page(
    cursor: string | null,
    limit: number,
    isNew?: boolean,
  ): Promise<{ readonly entries: readonly Entry[]; readonly cursor: string | null }>;
  /** As it is now; null: it is no more. */
  find(id: string): Promise<Entry | null>;
  /** All of it that a viewer may see. */
  see(id: string): Promise<unknown>;
}

/** One source, and how far it has been walked. */
interface Walk {
  readonly source: Source;
  /** The index has everything that came since then, in ms since the epoch; null: everything. */
  sinceMs: number | null;
  /** Place where the walk to the oldest goes on; null: it has ended; undefined: it has not begun. */
  cursor: string | null | undefined;
  /** Open ones as they were last read, the one whose turn comes next leading. */
  readonly open: Map<string, Entry>;
}

/**
 * Finds runs and cases by what they hold, as a viewer may see it: it walks both from the newest to the oldest, and then
 * follows what comes and what changes.
 */
export class Search {
  private readonly index = new TextIndex(DOCS_MAX);
  private readonly walks: Readonly<Record<Place["kind"], Walk>>;
  private readonly archived: ArchivedWords | null;
  private readonly logger: Logger;
  private readonly stopping: AbortSignal;

  constructor(
    console: Shown & {
      readonly archive?: Archive | null;
      readonly logger: Logger;
      readonly stopping: AbortSignal;
    },
  ) {
    const begun = { sinceMs: Infinity, cursor: undefined };
    this.walks = {
      run: { source: runsOf(console), ...begun, open: new Map() },
      case: { source: casesOf(console), ...begun, open: new Map() },
    };
    this.logger = console.logger;
    this.archived = console.archive ? new ArchivedWords(console.archive, console.logger) : null;
    this.stopping = console.stopping;
  }

  /** Begins to read, until the console stops. */
  begin(): void {
    const stop = every(LOOK_EVERY_MS, () => this.look(), this.logger);
    this.stopping.addEventListener("abort", stop, { once: true });
  }

  /** @returns The newest first, and since when the index has everything, in ms since the epoch; null: all of it. */
  async find(text: string, wanted: Wanted) {
    const whole = text.trim().toLowerCase();
    // An id is found before the index has come to it.
    const named = UUID.test(whole) ? KINDS.map((kind) => ({ kind, id: whole })) : [];
    const kept = (await this.archived?.find(text, wanted)) ?? [];
    const newest = [...this.index.find(text, wanted), ...kept].toSorted((a, b) => b.atMs - a.atMs);
    const places = [...named, ...newest];
    const distinct = new Map(places.map(({ kind, id }) => [`${kind} ${id}`, { kind, id }])).values();
    const found = await Promise.all(Array.from(distinct, (place) => this.findStill(place)));
    const isWanted = ({ kind, team }: Entry): boolean =>
      (wanted.kind ?? kind) === kind && (wanted.teams?.includes(team) ?? true);
    const entries = found.filter((one) => one !== null).filter(isWanted);
    return { found: entries.slice(0, wanted.limit), sinceMs: this.sinceMs };
  }

  private get sinceMs(): number | null {
    // Of what it had, a full index has lost the oldest.
    const kept = this.index.isFull ? this.index.oldestMs : null;
    const away = this.archived?.missedBeforeMs ?? null;
    const since = [this.walks.run.sinceMs, this.walks.case.sinceMs, kept, away].filter((ms) => ms !== null);
    return since.length === 0 ? null : Math.min(now(), Math.max(...since));
  }

  private async findStill(place: Pick<Place, "kind" | "id">): Promise<Entry | null> {
    try {
      const entry = await this.walks[place.kind].source.find(place.id);
      if (entry === null) this.index.remove(place);
      return entry;
    } catch (error) {
      // It has left Redis, and is found again when the archive is back.
      if (error instanceof ArchiveUnavailableError) return null;
      throw error;
    }
  }

  private async look(): Promise<void> {
    const walks = Object.values(this.walks);
    for (const walk of walks) await this.readNew(walk);
    for (const walk of walks) await this.readChanged(walk);
    const untilMs = now() + BACK_FOR_MS;
    while (walks.some(({ cursor }) => cursor !== null) && now() < untilMs && !this.stopping.aborted)
      for (const walk of walks) await this.readOlder(walk);
  }

  /** Reads what came since the last look: from the newest down to one that is known. */
  private async readNew(walk: Walk): Promise<void> {
    if (walk.cursor === undefined) return;
    let cursor: string | null = null;
    do {
      // Most looks find nothing: they read little.
      const page = await walk.source.page(cursor, cursor === null ? GLANCE : PAGE, true);
      // A run that has left Redis was seen before, or the walk comes to it.
      const fresh = page.entries.filter((one) => !one.isArchived && !this.index.has(one));
      await this.takeUp(walk, fresh);
      cursor = fresh.length < page.entries.length ? null : page.cursor;
    } while (cursor !== null && !this.stopping.aborted);
  }

  private async readChanged(walk: Walk): Promise<void> {
    for (const known of [...walk.open.values()].slice(0, OPEN_AT_A_LOOK)) {
      const entry = await walk.source.find(known.id);
      walk.open.delete(known.id);
      if (entry?.stamp === known.stamp) walk.open.set(known.id, known);
      else if (entry !== null) await this.takeUp(walk, [entry]);
    }
  }

  /** One page further back, until there is no more or the index is full. */
  private async readOlder(walk: Walk): Promise<void> {
    if (walk.cursor === null) return;
    const page = await walk.source.page(walk.cursor ?? null, PAGE);
    await this.takeUp(walk, (await this.archived?.withoutKnown(page.entries)) ?? page.entries);
    walk.cursor = this.index.isFull ? null : page.cursor;
    walk.sinceMs = page.cursor === null ? null : (page.entries.at(-1)?.atMs ?? walk.sinceMs);
  }

  private async takeUp(walk: Walk, entries: readonly Entry[]): Promise<void> {
    for (let at = 0; at < entries.length && !this.stopping.aborted; at += AT_A_TIME) {
      const some = entries.slice(at, at + AT_A_TIME);
      const texts = await Promise.all(some.map((entry) => this.textOf(walk, entry)));
      if (this.stopping.aborted) return;
      const read = some.flatMap((entry, i) => (texts[i] === undefined ? [] : [[entry, texts[i]] as const]));
      this.index.put(read.filter(([entry]) => !entry.isArchived));
      await this.archived?.put(read.filter(([entry]) => !entry.isOpen));
      for (const { id } of some) walk.open.delete(id);
      for (const [entry] of read)
        if (entry.isOpen && walk.open.size < OPEN_MAX) walk.open.set(entry.id, entry);
    }
  }

  /** Returns its words as a viewer may see them; undefined: it is no more. */
  private async textOf({ source }: Walk, entry: Entry): Promise<string | undefined> {
    let seen: unknown;
    try {
      seen = await source.see(entry.id);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      // A damaged record is found by what lists have of it.
      this.logger.debug({ err: error, id: entry.id }, "a text could not be read for the search index");
      seen = entry;
    }
    return JSON.stringify(maskSecrets(seen)).slice(0, CHARS_MAX);
  }
}

function runsOf(console: Shown): Source {
  const { store } = console;
  return {
    async page(cursor, limit, isNew = false) {
      const after = { ...(cursor === null ? {} : { cursor }), ...(isNew ? { inRedis: true as const } : {}) };
      const page = await listRuns(store, { limit, ...after, tenant: undefined, sees: () => true });
      return { entries: page.runs.map(entryOfRun), cursor: page.next_cursor };
    },
    async find(id) {
      const run = await store.runs.find(id);
      return run === null ? null : entryOfRun(run);
    },
    async see(id) {
      const seen = await seeRun(console, id, { seesInstructions: false });
      const { steps } = await listRunSteps(seen, { limit: STEPS_MAX });
      return [viewRun(seen.run, seen.events, { hasEvents: true }), steps, await findUser(seen)];
    },
  };
}

function entryOfRun({ run_id: id, team, created_ms: atMs, status, archived }: ListedRun): Entry {
  const isOpen = !ENDED_STATUSES.includes(status);
  return { kind: "run", id, team, atMs, status, stamp: status, isOpen, isArchived: archived === true };
}

function casesOf(console: Shown): Source {
  return {
    async page(cursor, limit) {
      const page = await findCases(console.store, { filter: {}, cursor, limit });
      return { entries: page.cases.map(entryOfCase), cursor: page.cursor };
    },
    async find(id) {
      const stored = await console.store.cases.findHead(id);
      return stored === null ? null : entryOfCase(toWardCase(stored));
    },
    see: async (id) => viewCase(console, await getCase(console.store, id), null),
  };
}

function entryOfCase(one: WardCase): Entry {
  const { case_id: id, team, admitted_ms: atMs, status, version } = one;
  return {
    kind: "case",
    id,
    team,
    atMs,
    status,
    stamp: String(version),
    isOpen: OPEN_CASE_STATUSES.includes(status),
    isArchived: one.archived === true,
  };
}
