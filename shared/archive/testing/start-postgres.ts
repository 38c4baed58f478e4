import { it, onTestFinished } from "vitest";
import { Secret } from "#shared/config";
import { findPostgres, startScratchPostgres } from "../../../infra/postgres/scratch-postgres.ts";
import type { ScratchPostgres } from "../../../infra/postgres/scratch-postgres.ts";
import { openArchive } from "../open-archive.ts";
import type { Archive } from "../open-archive.ts";

const programs = findPostgres();

const isSkipped = programs === null && process.env["CI"] !== "true";
if (isSkipped) process.stderr.write("Tests of the archive are skipped: PostgreSQL is not installed.\n");

/** A test on a real PostgreSQL. Skipped where it is not installed, but in CI, where it then fails. */
export const itWithPostgres: ReturnType<typeof it.skipIf> = it.skipIf(isSkipped);

export interface TestPostgres extends Pick<ScratchPostgres, "kill" | "start"> {
  readonly url: Secret;
}

/** Starts a PostgreSQL of its own; removed when the test has finished. */
export async function startPostgres(): Promise<TestPostgres> {
  if (programs === null) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  const { url, kill, start, stop } = await startScratchPostgres(programs);
  onTestFinished(stop);
  return { url: new Secret(url), kill, start };
}

/**
 * Opens an archive, closed when the test has finished.
 * @param settings - Default: the prefix `test`, runs move at once, and all is kept.
 */
export function openTestArchive(
  { url }: Pick<TestPostgres, "url">,
  settings: Partial<Omit<Parameters<typeof openArchive>[0], "archiveUrl">> = {},
): Archive {
  const defaults = { archiveAfterHours: 0, archiveDays: 0, prefix: "test" };
  const archive = openArchive({ ...defaults, ...settings, archiveUrl: url });
  if (archive === null) throw new Error("no archive");
  onTestFinished(() => archive.close());
  return archive;
}
