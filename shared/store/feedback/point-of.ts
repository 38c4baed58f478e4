import { hash } from "node:crypto";

const POINTS = 0x1_0000_0000;

/**
 * Where a message stands between 0 and 1, 1 excluded: evenly spread, and the same wherever it is asked, so that every
 * process agrees on which messages belong to a share.
 */
export function pointOf(messageId: string): number {
  return Number.parseInt(hash("sha256", messageId).slice(0, 8), 16) / POINTS;
}
