import { diffLines } from "diff";
import { isSource } from "../checkout/project-path.ts";
import { listMutants } from "./list-mutants.ts";
import type { Mutant } from "./list-mutants.ts";

/** A file that a fix changes. */
export interface PatchedText {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A small change, and the files it is made in: the fix without one of its changes. */
export interface Alternative {
  readonly mutant: Mutant;
  readonly base: readonly PatchedText[];
}

/** Lists small changes that could stand in the place of each change of a fix, in the lines around it. */
export function listAlternatives(texts: readonly PatchedText[], linesNear: number): Alternative[] {
  return texts.flatMap((text) => {
    if (!isSource(text.path)) return [];
    const groups = countGroups(text);
    return Array.from({ length: groups }, (_, group) => group).flatMap((group) => {
      const { after, from, to } = withoutGroup(text, group);
      const base = texts.map((one) => (one === text ? { ...one, after } : one));
      const kept = new Set(text.before.split("\n"));
      return after.split("\n").flatMap((line, index) => {
        const isNear = index >= from - linesNear && index < to + linesNear;
        const isOfGroup = index >= from && index < to;
        if (!isNear || isOfGroup || !kept.has(line) || !/\w/.test(line)) return [];
        const mutants = listMutants({ path: text.path, line: index + 1, text: line });
        return mutants.map((mutant) => ({ mutant, base }));
      });
    });
  });
}

function countGroups({ before, after }: PatchedText): number {
  const parts = diffLines(before, after);
  return parts.filter((part, index) => isChange(part) && !isChange(parts[index - 1])).length;
}

function isChange(part: { readonly added?: boolean; readonly removed?: boolean } | undefined): boolean {
  return part?.added === true || part?.removed === true;
}

/** Takes one group of changed lines back, and tells where its old lines are then, from 0. */
function withoutGroup(
  { before, after }: PatchedText,
  group: number,
): { after: string; from: number; to: number } {
  let number = -1;
  let line = 0;
  let [from, to] = [0, 0];
  let wasChange = false;
  let text = "";
  for (const part of diffLines(before, after)) {
    const is = isChange(part);
    if (is && !wasChange) {
      number += 1;
      if (number === group) [from, to] = [line, line];
    }
    wasChange = is;
    const isOwn = is && number === group;
    if (part.added ? isOwn : part.removed ? !isOwn : false) continue;
    text += part.value;
    line += part.count;
    if (isOwn) to = line;
  }
  return { after: text, from, to };
}
