import { openArchive } from "#shared/archive";
import type { Config } from "#shared/config";
import { codeOf } from "#shared/errors";
import { failed, ok, open } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** Checks the archive, where one is configured: whether it answers and has its tables, and how it is reached. */
export async function checkArchive(
  config: Pick<Config, "archiveUrl" | "archiveAfterHours" | "archiveDays" | "prefix">,
): Promise<Finding[]> {
  const archive = openArchive(config);
  if (archive === null || config.archiveUrl === null) return [];
  try {
    const count = await archive.reader.countRuns();
    const [transport] = await archive.db.query<{ readonly ssl: boolean }>(
      "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
    );
    const { hostname } = new URL(config.archiveUrl.reveal());
    const isHere = ["127.0.0.1", "localhost", "[::1]", ""].includes(hostname);
    return [
      ok("archive", `answers, and has ${count} runs`),
      transport?.ssl === true || isHere
        ? ok("archive transport", isHere ? "this machine alone" : "TLS")
        : open(
            "archive transport",
            "in the clear on its network",
            "Add sslmode=verify-full to SUTURE_ARCHIVE_URL",
          ),
    ];
  } catch (error) {
    const todo =
      "Look whether the PostgreSQL that SUTURE_ARCHIVE_URL names answers; runs stay in Redis meanwhile";
    return [failed("archive", `cannot be used (${codeOf(error)})`, todo)];
  } finally {
    await archive.close();
  }
}
