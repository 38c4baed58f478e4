export type Matched = "yes" | "no" | "malformed" | "too_costly";

/** Maximum steps of one match. */
const STEPS_MAX = 200_000;
/** Cost of one step in the caller's steps. */
const STEP_WORK = 12;
/** Maximum recursion; each round of a repeated group takes some levels. */
const DEPTH_MAX = 600;

/** A shared instance, because a list may contain thousands of exhausting texts and stack traces are expensive. */
const EXHAUSTED = new Error();

interface Run {
  readonly text: string;
  stepsLeft: number;
  depth: number;
}

type Continue = (at: number) => boolean;

/** Matches one part of a pattern from `at`, and what follows it. */
export type Matcher = (run: Run, at: number, next: Continue) => boolean;

/** One character; the native engine tells which. */
export interface Accepts {
  readonly accepts: (codePoint: number) => boolean;
}

export interface Range {
  readonly least: number;
  readonly most: number;
  readonly isLazy: boolean;
}

/** Matches by backtracking with a step limit, or with what is left of `meter` if that is less. */
export function backtrack(text: string, matcher: Matcher, meter?: { left: number }): Matched {
  const stepsMax = Math.min(STEPS_MAX, Math.ceil((meter?.left ?? Number.POSITIVE_INFINITY) / STEP_WORK));
  const run: Run = { text, stepsLeft: stepsMax, depth: 0 };
  try {
    for (let at = 0; at <= text.length; at += 1) if (matcher(run, at, () => true)) return "yes";
    return "no";
  } catch (error) {
    if (error === EXHAUSTED) return "too_costly";
    throw error;
  } finally {
    if (meter !== undefined) meter.left -= (stepsMax - run.stepsLeft) * STEP_WORK;
  }
}

function step(run: Run): void {
  run.stepsLeft -= 1;
  if (run.stepsLeft < 0 || run.depth > DEPTH_MAX) throw EXHAUSTED;
}

function counted(matcher: Matcher): Matcher {
  return (run, at, next) => {
    run.depth += 1;
    step(run);
    const isMatch = matcher(run, at, next);
    run.depth -= 1;
    return isMatch;
  };
}

export function char(one: Accepts): Matcher {
  return counted(({ text }, at, next) => {
    const end = endOf(one, text, at);
    return end > at && next(end);
  });
}

/** The end of an accepted character; `at` where there is none. */
function endOf({ accepts }: Accepts, text: string, at: number): number {
  const code = text.codePointAt(at);
  if (code === undefined || !accepts(code)) return at;
  return at + (code > 0xffff ? 2 : 1);
}

export function sequence(parts: readonly Matcher[]): Matcher {
  return counted(
    parts.reduceRight<Matcher>(
      (rest, first) => (run, at, next) => first(run, at, (end) => rest(run, end, next)),
      (_, at, next) => next(at),
    ),
  );
}

export function choice(options: readonly Matcher[]): Matcher {
  return counted((run, at, next) => options.some((one) => one(run, at, next)));
}

export function look(matcher: Matcher, isWanted: boolean): Matcher {
  return counted((run, at, next) => matcher(run, at, () => true) === isWanted && next(at));
}

export function repeat(matcher: Matcher, { least, most, isLazy }: Range): Matcher {
  const round =
    (count: number): Matcher =>
    (run, at, next) => {
      const again = (): boolean =>
        count < most &&
        matcher(run, at, (end) => (end > at || count < least) && round(count + 1)(run, end, next));
      if (count < least) return again();
      return isLazy ? next(at) || again() : again() || next(at);
    };
  return counted(round(0));
}

/** Matches a repeated character without recursion: finds all ends, then tries them longest (or shortest) first. */
export function charRun(one: Accepts, { least, most, isLazy }: Range): Matcher {
  return counted((run, at, next) => {
    const ends = [at];
    for (let last = at; ends.length <= most && last < run.text.length;) {
      step(run);
      const end = endOf(one, run.text, last);
      if (end === last) break;
      ends.push(end);
      last = end;
    }
    const allowed = ends.slice(least);
    return (isLazy ? allowed : allowed.toReversed()).some((end) => next(end));
  });
}

function edge(isThere: (text: string, at: number) => boolean): Matcher {
  return counted(({ text }, at, next) => isThere(text, at) && next(at));
}

/** Places between characters, by how a pattern writes them. */
export const EDGES: Readonly<Record<string, Matcher>> = {
  "^": edge((_, at) => at === 0),
  $: edge((text, at) => at === text.length),
  "\\b": edge(isWordEdge),
  "\\B": edge((text, at) => !isWordEdge(text, at)),
};

function isWordEdge(text: string, at: number): boolean {
  return /\w/.test(text[at - 1] ?? "") !== /\w/.test(text[at] ?? "");
}
