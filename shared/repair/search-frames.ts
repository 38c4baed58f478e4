import { canonical } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { undecided } from "./choose.ts";
import type { FirstAidResult, RefusalCode } from "./first-aid-result.ts";
import { coresOf } from "./read/frames.ts";

/** Refusals that a frame around the answer may explain. */
const FRAMED: ReadonlySet<RefusalCode> = new Set(["no_json", "mismatch", "missing"]);
const FRAME_COST = 3;

interface FrameSearch {
  readonly read: (text: string) => FirstAidResult;
  /** Returns true when the text around what was read has data that the value lacks. */
  readonly hasDataOutside: (outside: string, value: JsonValue) => boolean;
}

/**
 * Reads a text as it stands and, where that gives nothing, inside its fence, below its lead-in and above its remarks.
 * Two different values are a conflict.
 */
export function searchFrames(input: string, { read, hasDataOutside }: FrameSearch): FirstAidResult {
  const direct = read(input);
  // A frame must not hide the name of a prototype.
  if (direct.ok || !FRAMED.has(direct.code) || input.includes("__proto__")) return direct;
  const [, ...cores] = coresOf(input);
  const found = cores.flatMap((text) => {
    const result = read(text);
    return result.ok && !hasDataOutside(input.split(text).join("\n"), result.value) ? [result] : [];
  });
  const [best, ...others] = found.toSorted((a, b) => a.cost - b.cost);
  if (best === undefined) return direct;
  const notes = [{ path: "", step: "text_around_removed", cost: FRAME_COST }, ...best.notes];
  const value = canonical(best.value);
  const rival = others.find((one) => canonical(one.value) !== value);
  return rival === undefined
    ? { ...best, cost: best.cost + FRAME_COST, notes }
    : undecided(best, rival, notes);
}
