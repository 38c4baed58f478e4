import { hash } from "node:crypto";

const POINTS = 0x1_0000_0000;

/**
 * Maps a message id to a number in [0, 1), evenly distributed. Deterministic, so that every process agrees on which
 * messages belong to a share.
 */
export function pointOf(messageId: string): number {
  return Number.parseInt(hash("sha256", messageId).slice(0, 8), 16) / POINTS;
}
