import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** The files that take longest on two cores, longest first; in a fresh clone Vitest would sort by size instead. */
const LONGEST: readonly string[] = [
  "tests/compose.long.test.ts",
  "tests/crash-points/patterns.long.test.ts",
  "tests/demo.long.test.ts",
  "tests/crash-points/fan-out.long.test.ts",
  "tests/people-audit.test.ts",
  "services/gateway/tenancy/fair-share.test.ts",
  "services/agents/coder/proof/prove-fix.test.ts",
  "tests/crash-points/surgeon.long.test.ts",
  "tests/crash-points/worker.long.test.ts",
  "tests/eval/eval.long.test.ts",
  "tests/soak.long.test.ts",
  "tests/model-outage.test.ts",
  "services/agents/documents/team.test.ts",
  "tests/red-team/compromised-agent.long.test.ts",
  "tests/chaos/short.long.test.ts",
  "shared/patterns/fan-out.test.ts",
  "tests/packed-repair.long.test.ts",
  "tests/health.test.ts",
  "tests/full-redis-start.long.test.ts",
  "tests/doctor.test.ts",
  "shared/files/files.test.ts",
  "shared/sandbox/escapes.test.ts",
  "tests/hostile-messages.test.ts",
  "tests/doors.test.ts",
  "tests/browser/troubles.test.ts",
  "tests/browser/groups.test.ts",
  "services/agents/coder/trial/try-diff.test.ts",
  "tests/redis-topologies.test.ts",
];

/** Starts the files that take longest first, whatever their project; then one project after the other. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return index === -1 ? LONGEST.length : index;
    };
    const sorted = files.toSorted(
      (a, b) => rank(a) - rank(b) || a.project.name.localeCompare(b.project.name),
    );
    return Promise.resolve(sorted);
  }
}
