import { now } from "#shared/clock";
import type { Config } from "#shared/config";
import type { Store } from "#shared/store";
import type { ArchiveReader } from "#shared/store/archive";
import { ArchiveDb } from "./archive-db.ts";
import { CaseMover } from "./move-cases.ts";
import { RunMover } from "./move-runs.ts";
import { ArchiveReading } from "./read-archive.ts";
import { ArchiveTexts } from "./texts.ts";
import { retireArchive } from "./retire-archive.ts";

const HOUR_MS = 3_600_000;

/** The archive of one installation. */
export interface Archive {
  readonly db: ArchiveDb;
  readonly reader: ArchiveReader;
  /** Time after its end in which a run is still in Redis, in ms. */
  readonly afterMs: number;
  readonly texts: ArchiveTexts;
  moverOf(shard: Store): RunMover;
  caseMoverOf(shard: Store): CaseMover;
  /** Deletes a page of what it has kept for `SUTURE_ARCHIVE_DAYS`. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the configured archive; null where none is. It need not answer yet. */
export function openArchive(
  config: Pick<Config, "archiveUrl" | "archiveAfterHours" | "archiveDays" | "prefix">,
): Archive | null {
  if (config.archiveUrl === null) return null;
  const db = new ArchiveDb({ url: config.archiveUrl, prefix: config.prefix });
  const afterMs = config.archiveAfterHours * HOUR_MS;
  return {
    db,
    reader: new ArchiveReading(db),
    afterMs,
    texts: new ArchiveTexts(db),
    moverOf: (shard) => new RunMover(db, shard, afterMs),
    caseMoverOf: (shard) => new CaseMover(db, shard),
    retire: () => retireArchive(db, config.archiveDays, now()),
    close: () => db.close(),
  };
}
