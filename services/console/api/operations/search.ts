import { timestamp } from "#shared/clock";
import type { Handler } from "../../console.ts";

/** Finds runs and cases of the caller's teams by what they hold. */
export const search: Handler<"search"> = async ({ console, query: { text, kind, limit }, caller }) => {
  const { found, sinceMs } = await console.search.find(text, { kind, limit, teams: caller.teams });
  return {
    found: found.map(({ atMs, stamp: _stamp, isOpen: _isOpen, ...one }) => ({ ...one, at: timestamp(atMs) })),
    looked_back_to: sinceMs === null ? null : timestamp(sinceMs),
  };
};
