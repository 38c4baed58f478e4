import { createAbroadTeam } from "../../../support/abroad-team.ts";

/** The team as bridges in processes of their own load it; none of its handlers runs there. */
export default createAbroadTeam({ effects: [], pause: null });
