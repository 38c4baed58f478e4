import { splitLines } from "./apply-diff.ts";

const CONTEXT_LINES = 3;
/** Above this many comparisons, what lies between the first and the last difference is written as one change. */
const COMPARISONS_MAX = 4_000_000;

interface Op {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** The unified diff from one text to another, with three lines around each change. "" where they are equal. */
export function writeDiff(path: string, before: string, after: string): string {
  if (before === after) return "";
  const ops = compare(splitLines(before), splitLines(after));
  const hunks = cutHunks(ops).map((hunk) => writeHunk(ops, hunk));
  return `--- a/${path}\n+++ b/${path}\n${hunks.join("")}`;
}

function compare(before: readonly string[], after: readonly string[]): Op[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]): Op[] => lines.map((text) => ({ sign: " ", text }));
  return [
    ...same(before.slice(0, head)),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

/** By the longest common subsequence, where that is affordable. */
function compareMiddle(before: readonly string[], after: readonly string[]): Op[] {
  const taken = before.map((text): Op => ({ sign: "-", text }));
  const put = after.map((text): Op => ({ sign: "+", text }));
  if (before.length === 0 || after.length === 0 || before.length * after.length > COMPARISONS_MAX)
    return [...taken, ...put];
  const lengths = lengthsInBoth(before, after);
  const ops: Op[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [down, right] = [lengths[i + 1]?.[j] ?? -1, lengths[i]?.[j + 1] ?? -1];
    if (i < before.length && before[i] === after[j]) {
      ops.push({ sign: " ", text: before[i] ?? "" });
      i += 1;
      j += 1;
    } else if (i < before.length && (j >= after.length || down >= right)) {
      ops.push({ sign: "-", text: before[i] ?? "" });
      i += 1;
    } else {
      ops.push({ sign: "+", text: after[j] ?? "" });
      j += 1;
    }
  }
  return ops;
}

function lengthsInBoth(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const [row, below] = [lengths[i], lengths[i + 1]];
    if (row === undefined || below === undefined) continue;
    for (let j = after.length - 1; j >= 0; j -= 1) {
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}

/** From and to, as indexes of operations, for each group of changes with its context. */
function cutHunks(ops: readonly Op[]): (readonly [number, number])[] {
  const hunks: [number, number][] = [];
  for (const [index, { sign }] of ops.entries()) {
    if (sign === " ") continue;
    const [from, to] = [Math.max(0, index - CONTEXT_LINES), Math.min(ops.length, index + CONTEXT_LINES + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

function writeHunk(ops: readonly Op[], [from, to]: readonly [number, number]): string {
  const count = (slice: readonly Op[], sign: Op["sign"]): number =>
    slice.filter((op) => op.sign === " " || op.sign === sign).length;
  const [above, own] = [ops.slice(0, from), ops.slice(from, to)];
  const range = (sign: "-" | "+"): string => {
    const length = count(own, sign);
    return `${sign}${count(above, sign) + (length === 0 ? 0 : 1)},${length}`;
  };
  const lines = own.map(({ sign, text }) =>
    text.endsWith("\n") ? `${sign}${text}` : `${sign}${text}\n\\ No newline at end of file\n`,
  );
  return `@@ ${range("-")} ${range("+")} @@\n${lines.join("")}`;
}
