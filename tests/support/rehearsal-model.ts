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
