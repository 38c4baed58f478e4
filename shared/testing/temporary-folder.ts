import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Makes a folder that is removed after the test, behind whatever the test opens in it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "suture-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
