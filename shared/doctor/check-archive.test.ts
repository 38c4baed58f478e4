import { expect, it } from "vitest";
import { itWithPostgres, startPostgres } from "#shared/archive/testing";
import { Secret } from "#shared/config";
import { checkArchive } from "./check-archive.ts";

const SETTINGS = { archiveAfterHours: 1, archiveDays: 0, prefix: "checked" };

itWithPostgres(
  "says that the archive answers, and that it does not, without a word of its address",
  async () => {
    const postgres = await startPostgres();
    const archiveUrl = new Secret(postgres.url.reveal().replace("suture@", "suture:top-secret@"));
    expect(await checkArchive({ ...SETTINGS, archiveUrl })).toMatchObject([
      { check: "archive", state: "ok", seen: "answers, and has 0 runs" },
      { check: "archive transport", state: "ok" },
    ]);
    await postgres.kill();
    const findings = await checkArchive({ ...SETTINGS, archiveUrl });
    expect(findings).toMatchObject([
      { check: "archive", state: "failed", seen: "cannot be used (ECONNREFUSED)" },
    ]);
    expect(JSON.stringify(findings)).not.toContain("top-secret");
  },
);

it("says nothing where no archive is configured", async () => {
  expect(await checkArchive({ ...SETTINGS, archiveUrl: null })).toEqual([]);
});
