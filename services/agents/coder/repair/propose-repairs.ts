import { isTestPath } from "../checkout/project-path.ts";
import type { SourceText } from "../checkout/select-sources.ts";
import { applyDiff } from "../diff/apply-diff.ts";
import { digestDiff } from "../diff/digest-diff.ts";
import { writeDiff } from "../diff/write-diff.ts";
import type { FixesInput } from "../patcher/answer.ts";
import { CATALOGUE } from "./catalogue.ts";
import { readClues } from "./clues.ts";
import type { Clues } from "./clues.ts";
import { namesOfProject } from "./rank-suspects.ts";
import { applyEdits } from "./repair.ts";
import type { Repair } from "./repair.ts";
import { readSource } from "./source.ts";
import type { Source } from "./source.ts";
import { weighLines } from "./weigh-lines.ts";
import type { LineWeight } from "./weigh-lines.ts";

/** A repair with the diff that makes it, against the checkout as it is. */
export interface ProposedRepair {
  readonly repair: Repair;
  readonly diff: string;
}

/** Of one place not more than this at once: a round should learn about several. */
const AT_ONE_LINE_MAX = 3;
const RANKED_MAX = 400;

/**
 * Everything the catalogue could do, ranked by where it is and by what the failure shows; the best that was not
 * tried. Where a diff already helps, repairs go on top of it.
 */
export function proposeRepairs(input: FixesInput): ProposedRepair[] {
  const current = withBest(input);
  const sources = current.map(({ path, text }) => readSource(path, text));
  const project = { ...namesOfProject(sources), paths: current.map(({ path }) => path) };
  const lists = input.failing.map((test) => {
    const own = { ...input, failing: [test], sources: current };
    const clues = readClues([test], project);
    return rank(sources, { clues, weigh: weighLines(own, sources) });
  });
  return takeNew(interleave(lists), { input, current });
}

interface Evidence {
  readonly clues: Clues;
  readonly weigh: LineWeight;
}

/** Everything that could set one failing test right, the likeliest first. */
function rank(sources: readonly Source[], { clues, weigh }: Evidence): Repair[] {
  return sources
    .filter(({ path }) => !isTestPath(path))
    .flatMap((source) => repairsOf(source, clues))
    .map((repair) => ({ repair, score: repair.fit * weigh(repair.path, repair.line) }))
    .toSorted((a, b) => b.score - a.score || compareRepairs(a.repair, b.repair))
    .slice(0, RANKED_MAX)
    .map(({ repair }) => repair);
}

/** The first of each list, then the second of each: tests may fail for different reasons. */
function interleave(lists: readonly (readonly Repair[])[]): Repair[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
}

function repairsOf(source: Source, clues: Clues): Repair[] {
  return CATALOGUE.flatMap((move) => move(source, clues)).filter(({ edits }) =>
    edits.every(({ start, end, text }) => source.text.slice(start, end) !== text),
  );
}

/** So that equal scores always come in the same order. */
function compareRepairs(a: Repair, b: Repair): number {
  const key = ({ path, line, kind, note }: Repair): string =>
    `${path}:${String(line).padStart(6, "0")}:${kind}:${note}`;
  return key(a) < key(b) ? -1 : 1;
}

function withBest({ sources, best }: FixesInput): readonly SourceText[] {
  if (best === null) return sources;
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const applied = applyDiff(best, (path) => texts.get(path) ?? null);
  if (!applied.ok) return sources;
  return sources.map(({ path, text }) => ({ path, text: applied.files.get(path) ?? text }));
}

interface Around {
  readonly input: FixesInput;
  readonly current: readonly SourceText[];
}

function takeNew(repairs: readonly Repair[], { input, current }: Around): ProposedRepair[] {
  const known = new Set(input.tried.map(({ digest }) => digest));
  const atLine = new Map<string, number>();
  const taken: ProposedRepair[] = [];
  for (const repair of repairs) {
    if (taken.length >= input.fixes_max) break;
    const place = `${repair.path}:${repair.line}`;
    if ((atLine.get(place) ?? 0) >= AT_ONE_LINE_MAX) continue;
    const diff = diffOf(repair, { input, current });
    if (diff === "" || known.has(digestDiff(diff))) continue;
    known.add(digestDiff(diff));
    atLine.set(place, (atLine.get(place) ?? 0) + 1);
    taken.push({ repair, diff });
  }
  return taken;
}

/** Against the checkout as it is, what already helps included. */
function diffOf({ path, edits }: Repair, { input, current }: Around): string {
  const texts = current.map((source) =>
    source.path === path ? { path, text: applyEdits(source.text, edits) } : source,
  );
  const originals = new Map(input.sources.map((source) => [source.path, source.text]));
  return texts
    .map((source) => writeDiff(source.path, originals.get(source.path) ?? "", source.text))
    .join("");
}
