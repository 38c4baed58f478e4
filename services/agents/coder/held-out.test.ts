import { expect, test } from "vitest";
import { HELD_OUT_BUGS } from "./testing/held-out-bugs.ts";
import {
  openDesk,
  openWorkshop,
  repairInMemory,
  temporaryFolder,
  writeProject,
} from "./testing/repair-in-memory.ts";

/** A guard, below what was scored: see docs/teams/coder.md for the figure. */
const SHARE_MIN = 0.6;

test("the catalogue repairs bugs that it was not written for", async () => {
  const folder = temporaryFolder();
  let repaired = 0;
  for (const { id, issue, source, test: tests } of HELD_OUT_BUGS) {
    const files = {
      "package.json": '{"type": "module"}',
      "src/index.js": source,
      "test/index.test.js": tests,
    };
    writeProject(`${folder}/${id}`, files);
    const { result } = await repairInMemory(openDesk(openWorkshop(folder)), {
      checkout: id,
      issue,
      rounds_max: 4,
    });
    repaired += result.status === "green" ? 1 : 0;
    process.stdout.write(`held out ${id}: ${result.status} after ${result.tries} tries\n`);
  }
  process.stdout.write(`held out: ${repaired} of ${HELD_OUT_BUGS.length}\n`);
  expect(repaired / HELD_OUT_BUGS.length).toBeGreaterThanOrEqual(SHARE_MIN);
}, 600_000);
