import { timestamp } from "#shared/clock";
import type { Handler } from "../../console.ts";

/** Finds runs and cases of the caller's teams by what they hold. */
export const search: Handler<"search"> = async ({ console, query: { text, kind, limit }, caller }) => {
  const { found, sinceMs } = await console.search.find(text, { kind, limit, teams: caller.teams });
  return {
    found: found.map(({ kind: what, id, team, status, atMs }) => ({
      kind: what,
      id,
      team,
      status,
      at: timestamp(atMs),
    })),
    looked_back_to: sinceMs === null ? null : timestamp(sinceMs),
  };
};
