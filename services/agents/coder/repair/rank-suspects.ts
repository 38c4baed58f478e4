import { isTestPath } from "../checkout/project-path.ts";
import type { CauseInput } from "../explorer/answer.ts";
import type { Suspect } from "../contract-fields.ts";
import { callsOf, functionAround, isName, readSource, tokenAt } from "./source.ts";
import type { Source } from "./source.ts";

const SUSPECTS_MAX = 10;
/** Lines of a test that are read from where it begins. */
const TEST_LINES = 25;
/** How much of its suspicion a function passes on to those that it calls, and how often that goes on. */
const PASSED_ON = 0.55;
const CALLS_DEEP = 4;

/** A function, or a file's top level with the name of one of its constants. */
interface Place {
  readonly source: Source;
  readonly symbol: string;
  readonly line: number;
  readonly lastLine: number;
  /** Names that it calls or reads. */
  readonly uses: ReadonlySet<string>;
}

/**
 * Ranks the places that may hold the bug: those on the stacks, those that failing tests and the report name, and
 * those that they call in turn.
 */
export function rankSuspects(input: CauseInput): Suspect[] {
  const sources = input.sources.map(({ path, text }) => readSource(path, text));
  const places = sources.filter(({ path }) => !isTestPath(path)).flatMap(listPlaces);
  const scores = new Map(places.map((place) => [place, { score: 0, reasons: new Set<string>() }]));
  const suspectPlace = (place: Place, weight: number, reason: string): void => {
    const known = scores.get(place);
    if (known === undefined || weight < 0.02) return;
    known.score += weight;
    known.reasons.add(reason);
  };
  suspectStacks(input, places, suspectPlace);
  suspectNamed(input, places, suspectPlace);
  passOn(places, scores);
  return places
    .map((place) => ({ place, ...(scores.get(place) ?? { score: 0, reasons: new Set<string>() }) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SUSPECTS_MAX)
    .map(({ place, reasons }) => ({
      path: place.source.path,
      line: place.line,
      symbol: place.symbol,
      because: `${[...reasons].slice(0, 3).join("; ")}.`,
    }));
}

type SuspectPlace = (place: Place, weight: number, reason: string) => void;

function listPlaces(source: Source): Place[] {
  const functions = source.functions
    .filter(({ name, isExpression }) => name !== "" || !isExpression)
    .map((one) => ({
      source,
      symbol: one.name,
      line: one.firstLine,
      lastLine: one.lastLine,
      uses: namesBetween(source, one.first, one.last),
    }));
  const constants = source.tokens.flatMap((token, index): Place[] => {
    const isDeclared = ["const", "let", "var"].includes(token.text) && functionAround(source, index) === null;
    const name = tokenAt(source, index + 1);
    const isFunction = functions.some(({ symbol }) => symbol === name.text);
    if (!isDeclared || !isName(name) || isFunction) return [];
    const last = endOfStatement(source, index);
    return [
      {
        source,
        symbol: name.text,
        line: token.line,
        lastLine: tokenAt(source, last).line,
        uses: namesBetween(source, index + 2, last),
      },
    ];
  });
  return [...functions, ...constants];
}

function endOfStatement(source: Source, from: number): number {
  for (let at = from; at < source.tokens.length; at += 1) {
    const partner = source.partners[at] ?? -1;
    if (partner > at) at = partner;
    if (tokenAt(source, at).text === ";") return at;
  }
  return source.tokens.length - 1;
}

function namesBetween(source: Source, first: number, last: number): Set<string> {
  return new Set(
    source.tokens
      .slice(first + 1, last + 1)
      .filter(isName)
      .map(({ text }) => text),
  );
}

function suspectStacks({ failing }: CauseInput, places: readonly Place[], suspectPlace: SuspectPlace): void {
  for (const { frames } of failing) {
    const own = frames.filter(({ path }) => !isTestPath(path));
    for (const [depth, { path, line }] of own.entries()) {
      const around = places.filter(
        (place) => place.source.path === path && place.line <= line && line <= place.lastLine,
      );
      const inner = around.toSorted((a, b) => a.lastLine - a.line - (b.lastLine - b.line));
      for (const [order, place] of inner.entries())
        suspectPlace(place, (3 * 0.7 ** depth) / (order + 1), "a failure's stack passes here");
    }
  }
}

/** What failing tests call by name, the line that failed above all, and what the report names. */
function suspectNamed(input: CauseInput, places: readonly Place[], suspectPlace: SuspectPlace): void {
  const words = new Set(
    (`${input.issue} ${input.goal}`.match(/[A-Za-z_$][\w$]*/g) ?? []).map((word) => word.toLowerCase()),
  );
  for (const place of places) {
    const { symbol } = place;
    if (symbol === "") continue;
    if (words.has(symbol.toLowerCase())) suspectPlace(place, 1.2, "the report names it");
    for (const test of input.failing) {
      const { near, around } = namesInTest(input, test);
      if (near.has(symbol)) suspectPlace(place, 2, "the failing test calls it");
      else if (around.has(symbol)) suspectPlace(place, 1, "the failing test names it");
      if (partsOf(symbol).every((part) => test.name.toLowerCase().includes(part)))
        suspectPlace(place, 0.7, "the failing test is called like it");
    }
    const hits = input.hits.filter(
      ({ path, line }) => path === place.source.path && place.line <= line && line <= place.lastLine,
    );
    suspectPlace(place, Math.min(0.6, hits.length * 0.2), "the search found it");
  }
}

function partsOf(symbol: string): string[] {
  return symbol
    .split(/(?=[A-Z])|_/)
    .map((part) => part.toLowerCase())
    .filter((part) => part.length > 2);
}

function namesInTest(
  { sources }: CauseInput,
  { file, line, frames }: CauseInput["failing"][number],
): { readonly near: Set<string>; readonly around: Set<string> } {
  const lines = sources.find(({ path }) => path === file)?.text.split("\n") ?? [];
  const namesIn = (from: number, to: number): Set<string> =>
    new Set(
      lines
        .slice(Math.max(0, from), to)
        .join("\n")
        .match(/[A-Za-z_$][\w$]*/g),
    );
  const failed = frames.find(({ path }) => path === file)?.line ?? line;
  const start = line === 0 ? failed - 5 : line - 1;
  return { near: namesIn(failed - 4, failed), around: namesIn(start, Math.max(start + TEST_LINES, failed)) };
}

/** A bug in what is called shows in who calls it. */
function passOn(places: readonly Place[], scores: Map<Place, { score: number; reasons: Set<string> }>): void {
  const byName = Map.groupBy(
    places.filter(({ symbol }) => symbol !== ""),
    ({ symbol }) => symbol,
  );
  let from = new Map(places.map((place) => [place, scores.get(place)?.score ?? 0]));
  for (let depth = 0; depth < CALLS_DEEP; depth += 1) {
    const next = new Map<Place, number>();
    for (const [place, score] of from) {
      const used = [...place.uses]
        .flatMap((name) => byName.get(name) ?? [])
        .filter((other) => other !== place);
      for (const other of used) next.set(other, Math.max(next.get(other) ?? 0, score * PASSED_ON));
    }
    for (const [place, score] of next) {
      const known = scores.get(place);
      if (known === undefined || score < 0.05) continue;
      known.score += score * 0.7;
      known.reasons.add("what is under suspicion uses it");
    }
    from = next;
  }
}

/** Names of every function in a set of files, and of those that give promises. */
export function namesOfProject(sources: readonly Source[]): {
  projectNames: Set<string>;
  asyncNames: Set<string>;
} {
  const functions = sources.flatMap((source) => source.functions);
  const constants = sources.flatMap((source) => listPlaces(source).map(({ symbol }) => symbol));
  const late = functions.filter(({ isAsync }) => isAsync).map(({ name }) => name);
  const promising = sources.flatMap((source) =>
    source.functions
      .filter((one) => source.tokens.slice(one.body, one.last + 1).some(({ text }) => text === "Promise"))
      .map(({ name }) => name),
  );
  const called = new Set(
    sources.flatMap((source) => callsOf(source).map(({ name }) => tokenAt(source, name).text)),
  );
  return {
    projectNames: new Set([...functions.map(({ name }) => name), ...constants].filter((name) => name !== "")),
    asyncNames: new Set([...late, ...promising].filter((name) => name !== "" && called.has(name))),
  };
}
