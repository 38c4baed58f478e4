import { join } from "node:path";
import { processConfig } from "#shared/config";
import { team } from "#shared/runtime";
import { createExplorer } from "./explorer/agent.ts";
import { ROUNDS_MAX } from "./contracts.ts";
import { createPatcher } from "./patcher/agent.ts";
import { createPlanner } from "./planner/agent.ts";
import { createVerifier } from "./verifier/agent.ts";
import type { CoderSetup } from "./setup.ts";
import { CoderResult } from "./result.ts";

/** The coder team over the given checkouts. Patcher and verifier take turns, as often as the task allows. */
export function createCoderTeam(setup: CoderSetup) {
  return team(
    "coder",
    [createPlanner(setup), createExplorer(setup), createPatcher(setup), createVerifier(setup)],
    {
      description:
        "Fixes a bug of a checkout in a scratch copy, gives the diff, and says how sure it is of it.",
      result: CoderResult,
      redacts: ["secret"],
      loops: ["patcher>verifier", "verifier>patcher"],
      // Planner and explorer, two hops a round, and one to spare for a message that passes the ward.
      hopsMax: 2 * ROUNDS_MAX + 4,
    },
  );
}

export default createCoderTeam({
  checkoutsDir: () => processConfig().checkoutsDir,
  scratchDir: () => join(processConfig().dataDir, "scratch"),
});
