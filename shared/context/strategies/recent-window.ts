import type { Digest, Work } from "../compression.ts";
import { roll } from "./rolling-summary.ts";

const TURNS_DEFAULT = 6;

/** The newest turns as they were said; what is older goes into a summary that persists from agent to agent. */
export async function recentWindow(work: Work, turns = TURNS_DEFAULT): Promise<Digest> {
  const { history } = work.conversation;
  const older = turns <= 0 ? history : history.slice(0, -turns);
  const { summary, dropped } = await roll(work, older);
  return { summary, dropped, turnsMax: turns, conversation: work.conversation, levels: null };
}
