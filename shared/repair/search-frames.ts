import { canonical } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { undecided } from "./choose.ts";
import type { FirstAidResult, Note, RefusalCode } from "./first-aid-result.ts";
import { framesOf } from "./read/frames.ts";
import type { Work } from "./read/reader.ts";

/** Maximum frames inside one another, and texts tried. */
const FRAMES_MAX = 3;
const TEXTS_MAX = 16;

/** Refusals that a frame around the answer may explain. */
const FRAMED: ReadonlySet<RefusalCode> = new Set(["no_json", "mismatch", "missing"]);

interface FrameSearch {
  readonly read: (text: string) => FirstAidResult;
  /** Returns true when the text around what was read has data that the value lacks. */
  readonly leavesOut: (outside: string, value: JsonValue) => boolean;
  readonly work: Work;
}

/**
 * Reads a text as it stands and, where that gives nothing, without the frames around it: fewest frames first. Two
 * different values behind as many frames are a conflict.
 * @throws {ReadRefusal} The work limit is reached.
 */
export function searchFrames(input: string, { read, leavesOut, work }: FrameSearch): FirstAidResult {
  const direct = read(input);
  // A frame must not hide the name of a prototype.
  if (direct.ok || !FRAMED.has(direct.code) || input.includes("__proto__")) return direct;
  const known = new Set([input.trim()]);
  let level: { text: string; notes: readonly Note[]; cost: number }[] = [{ text: input, notes: [], cost: 0 }];
  for (let depth = 0; depth < FRAMES_MAX && level.length > 0; depth += 1) {
    const next = level.flatMap((outer) =>
      framesOf(outer.text, work).flatMap(({ text, step, cost }) => {
        if (known.has(text) || known.size > TEXTS_MAX) return [];
        known.add(text);
        const notes = [...outer.notes, { path: "", step, cost }];
        return [{ text, notes, cost: outer.cost + cost }];
      }),
    );
    const found = next.flatMap(({ text, notes, cost }) => {
      const result = read(text);
      const outside = input.includes(text) ? input.split(text).join("\n") : "";
      return result.ok && !leavesOut(outside, result.value)
        ? [{ ...result, cost: result.cost + cost, notes: [...notes, ...result.notes] }]
        : [];
    });
    const [best, ...others] = found.toSorted((a, b) => a.cost - b.cost);
    if (best !== undefined) {
      const value = canonical(best.value);
      const rival = others.find((one) => canonical(one.value) !== value);
      return rival === undefined ? best : undecided(best, rival, best.notes);
    }
    level = next;
  }
  return direct;
}
