import type { Digest, Work } from "../compression.ts";
import { roll } from "./rolling-summary.ts";

const TURNS_DEFAULT = 6;

/** Keeps the newest turns verbatim and a rolling summary of the older ones. */
export async function recentWindow(work: Work, turns = TURNS_DEFAULT): Promise<Digest> {
  const { history } = work.conversation;
  const older = turns <= 0 ? history : history.slice(0, -turns);
  const { summary, dropped } = await roll(work, older);
  return { summary, dropped, turnsMax: turns, conversation: work.conversation, levels: null };
}
