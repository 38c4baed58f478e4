import { createBridgedTeam } from "../../../support/bridged-team.ts";

/** The team as bridges in processes of their own load it; none of its handlers runs there. */
export default createBridgedTeam({ effects: [], pause: null });
