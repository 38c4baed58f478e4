import { loadTeams } from "#shared/runtime/process";
import type { ModelClient } from "#shared/model";
import type { Team } from "#shared/runtime";
import { standInsOf } from "../../services/rehearsal/answer-completion.ts";
import { clientOf, openServer } from "../../services/rehearsal/testing/open-server.ts";

/** The real rehearsal server with a team's stand-ins, and a client to it. Both go with the test. */
export async function openRehearsal(
  team: Team,
  faultRate = 0,
): Promise<{ readonly model: ModelClient; readonly url: string }> {
  const rehearsal = await openServer({ findStandIn: standInsOf([team]), faultRate });
  return { model: clientOf(rehearsal), url: rehearsal.url };
}

/** The support team on a rehearsal of its own. `env` has a process ask that rehearsal. */
export async function rehearseSupport() {
  const teams = await loadTeams("services/agents");
  const support = teams.find(({ name }) => name === "support");
  if (support === undefined) throw new Error("there is no support team");
  const { model, url } = await openRehearsal(support);
  const env = {
    SUTURE_SANDBOX_URL: url,
    OPENAI_BASE_URL: "",
    OPENAI_API_KEY: "",
    SUTURE_REHEARSAL_PORT: new URL(url).port,
  };
  return { teams, support, model, env };
}
