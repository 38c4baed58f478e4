import { isTestPath } from "../checkout/project-path.ts";
import type { Suspect } from "../contract-fields.ts";
import type { FixesInput } from "../patcher/answer.ts";
import { rankSuspects } from "./rank-suspects.ts";
import type { Source } from "./source.ts";

/** How likely a line holds the bug, from 0 to about 1.5. */
export type LineWeight = (path: string, line: number) => number;

const ELSEWHERE = 0.06;
const ON_STACK = 1;
const FIRST_SUSPECT = 0.9;
/** What the root cause says of all failures, beside what one failure says itself. */
const OF_OTHERS = 0.6;
/** A line that only refuses bad input, where no failure is about that. */
const REFUSING = 0.6;

interface Region {
  readonly path: string;
  readonly first: number;
  readonly last: number;
  readonly weight: number;
}

/**
 * Weighs lines by the evidence: those on a stack most, then the functions under suspicion in their order. What
 * was tried teaches too: where a change moved the failure, the code takes part in it; where it moved nothing,
 * less.
 */
export function weighLines(input: FixesInput, sources: readonly Source[]): LineWeight {
  const own = rankSuspects({ ...input, goal: input.cause, hits: [] });
  const regions = [
    ...stackRegions(input, sources),
    ...suspectRegions(own, { sources, first: FIRST_SUSPECT }),
    ...suspectRegions(input.suspects, { sources, first: FIRST_SUSPECT * OF_OTHERS }),
  ];
  const lessons = readLessons(input, sources);
  const refusals = refusalsOf(input, sources);
  return (path, line) => {
    const around = regions.filter(
      (region) => region.path === path && region.first <= line && line <= region.last,
    );
    const weight = around.reduce((most, region) => Math.max(most, region.weight), ELSEWHERE);
    return weight * lessons(path, line) * (refusals.has(`${path}:${line}`) ? REFUSING : 1);
  };
}

function stackRegions({ failing }: FixesInput, sources: readonly Source[]): Region[] {
  return failing.flatMap(({ frames }) =>
    frames
      .filter(({ path }) => !isTestPath(path))
      .flatMap(({ path, line }, depth): Region[] => {
        const weight = ON_STACK * 0.85 ** depth;
        const around = innermost(sources, { path, line });
        const own = { path, first: line, last: line, weight };
        return around === null ? [own] : [own, { path, ...around, weight: weight * 0.65 }];
      }),
  );
}

function suspectRegions(
  suspects: readonly Suspect[],
  { sources, first }: { readonly sources: readonly Source[]; readonly first: number },
): Region[] {
  return suspects.flatMap(({ path, line }, rank): Region[] => {
    const weight = first * 0.82 ** rank;
    const around = innermost(sources, { path, line });
    return [{ path, first: around?.first ?? line, last: around?.last ?? line + 2, weight }];
  });
}

/** Lines that throw, unless the failure is about an error that comes or does not come. */
function refusalsOf({ failing }: FixesInput, sources: readonly Source[]): Set<string> {
  const isAboutErrors = failing.some(
    ({ kind, message }) => kind !== "assertion" || /exception|rejection/.test(message),
  );
  if (isAboutErrors) return new Set();
  const thrown = sources.flatMap(({ path, tokens }) =>
    tokens.filter(({ text }) => text === "throw").map(({ line }) => `${path}:${line}`),
  );
  return new Set(thrown);
}

interface Place {
  readonly path: string;
  readonly line: number;
}

/** The lines of the innermost function around a place; null outside functions. */
function innermost(
  sources: readonly Source[],
  { path, line }: Place,
): { first: number; last: number } | null {
  const functions = sources.find((source) => source.path === path)?.functions ?? [];
  const around = functions
    .filter(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine)
    .toSorted((a, b) => a.lastLine - a.firstLine - (b.lastLine - b.firstLine))[0];
  return around === undefined ? null : { first: around.firstLine, last: around.lastLine };
}

function readLessons({ tried }: FixesInput, sources: readonly Source[]): LineWeight {
  const places = tried.flatMap(({ shown, verdict, has_moved: hasMoved }) =>
    verdict === "red" ? changedLines(shown).map((place) => ({ ...place, hasMoved })) : [],
  );
  const moved = places
    .filter(({ hasMoved }) => hasMoved)
    .map((place) => ({
      path: place.path,
      ...(innermost(sources, place) ?? { first: place.line, last: place.line }),
    }));
  return (path, line) => {
    const isMoved = moved.some((one) => one.path === path && one.first <= line && line <= one.last);
    const isStill = places.filter(
      (place) => !place.hasMoved && place.path === path && place.line === line,
    ).length;
    return (isMoved ? 1.25 : 1) * 0.85 ** Math.min(isStill, 6);
  };
}

/** Places that a diff's beginning takes lines away from. */
function changedLines(shown: string): Place[] {
  const places: Place[] = [];
  let path = "";
  let line = 0;
  for (const text of shown.split("\n")) {
    const hunk = /^@@ -(\d+)/.exec(text);
    if (text.startsWith("--- a/")) path = text.slice("--- a/".length);
    else if (hunk !== null) line = Number(hunk[1]);
    else if (text.startsWith("-")) places.push({ path, line: line++ });
    else if (text.startsWith(" ")) line += 1;
  }
  return places;
}
