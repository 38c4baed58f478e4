import { expect, it } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { checkOutRelease, readHeldCommit } from "./held-release.ts";
import { fromTree } from "./launch-services.ts";
import { CHAPTERS } from "./plan/chapters.ts";
import { rollReleases } from "./roll-releases.ts";
import { runChaos } from "./run-chaos.ts";
import type { Launch } from "./service-process.ts";

/** `npm run drill upgrade`: from the release that the upgrades page names to this one and back, under load. */
const SEED = 20_261_129;
const TRAFFIC_MS = 75_000;

it("upgrades from the held release and rolls back: all runs end as they must, each effect once", async () => {
  const commit = readHeldCommit();
  const tree = temporaryFolder();
  checkOutRelease(commit, tree);
  const told: string[] = [`from ${commit}`];
  const newer = new Map<Launch, Launch>();
  const outcome = await runChaos({
    chapter: CHAPTERS.everyday,
    seed: SEED,
    launchAs: (launch) => {
      const held = fromTree(launch, tree);
      newer.set(held, launch);
      return held;
    },
    plan: (deployment) =>
      rollReleases(deployment, {
        newer: (older) => newer.get(older) ?? older,
        say: (line) => void told.push(line),
      }),
    trafficMs: TRAFFIC_MS,
    perSecond: 5,
    settleMs: 60_000,
    say: () => undefined,
  });
  const report = [...told, ...outcome.problems, `seed ${SEED}; logs in ${outcome.folder}`].join("\n");
  expect(outcome.problems, report).toEqual([]);
  expect(outcome.injected, report).toHaveLength(8);
  process.stdout.write(`${report}\n${JSON.stringify(outcome.figures)}\n`);
}, 600_000);

it("says so where the clone does not have the commit", () => {
  expect(() => checkOutRelease("0".repeat(40), temporaryFolder())).toThrow(/does not have commit 0{40}/);
});
