import type { PatternNode } from "./parse-pattern.ts";

export type Matched = "yes" | "no" | "malformed" | "too_costly";

/** Maximum steps of one match. */
const STEPS_MAX = 200_000;
/** Cost of one step in the caller's steps. */
const STEP_WORK = 12;
/** Maximum recursion; each round of a repeated group takes some levels. */
const DEPTH_MAX = 600;

class Exhausted extends Error {}
/** A shared instance, because a list may contain thousands of exhausting texts and stack traces are expensive. */
const EXHAUSTED = new Exhausted();

interface Run {
  readonly text: string;
  readonly stepsMax: number;
  steps: number;
  depth: number;
}

type Continue = (at: number) => boolean;

/** Matches by backtracking with a step limit, or with what is left of `meter` if that is less. */
export function backtrack(text: string, node: PatternNode, meter?: { left: number }): Matched {
  const stepsMax = Math.min(STEPS_MAX, Math.ceil((meter?.left ?? Number.POSITIVE_INFINITY) / STEP_WORK));
  const run: Run = { text, stepsMax, steps: 0, depth: 0 };
  try {
    for (let at = 0; at <= text.length; at += 1) if (match(run, node, { at, next: () => true })) return "yes";
    return "no";
  } catch (error) {
    if (error instanceof Exhausted) return "too_costly";
    throw error;
  } finally {
    if (meter !== undefined) meter.left -= run.steps * STEP_WORK;
  }
}

interface Place {
  readonly at: number;
  readonly next: Continue;
}

function match(run: Run, node: PatternNode, place: Place): boolean {
  run.steps += 1;
  run.depth += 1;
  if (run.steps > run.stepsMax || run.depth > DEPTH_MAX) throw EXHAUSTED;
  const matched = matchNode(run, node, place);
  run.depth -= 1;
  return matched;
}

function matchNode(run: Run, node: PatternNode, { at, next }: Place): boolean {
  if (node.kind === "char") {
    if (at >= run.text.length) return false;
    const char = run.text.codePointAt(at) ?? 0;
    return node.accepts(char) && next(at + (char > 0xffff ? 2 : 1));
  }
  if (node.kind === "sequence") return matchSequence(run, node.nodes, { at, next });
  if (node.kind === "choice") return node.nodes.some((one) => match(run, one, { at, next }));
  if (node.kind === "look") return match(run, node.node, { at, next: () => true }) === node.ahead && next(at);
  if (node.kind === "repeat" && node.node.kind === "char")
    return matchRun(run, { ...node, node: node.node }, { at, next });
  if (node.kind === "repeat") return matchRepeat(run, node, { at, next, count: 0 });
  return isAt(run.text, at, node.kind) && next(at);
}

function matchSequence(run: Run, nodes: readonly PatternNode[], { at, next }: Place): boolean {
  const [first, ...rest] = nodes;
  if (first === undefined) return next(at);
  return match(run, first, { at, next: (after) => matchSequence(run, rest, { at: after, next }) });
}

function matchRepeat(
  run: Run,
  node: PatternNode & { kind: "repeat" },
  { at, next, count }: Place & { count: number },
): boolean {
  const again = (): boolean =>
    count < node.most &&
    match(run, node.node, {
      at,
      next: (after) =>
        (after > at || count < node.least) && matchRepeat(run, node, { at: after, next, count: count + 1 }),
    });
  if (count < node.least) return again();
  return node.lazy ? next(at) || again() : again() || next(at);
}

type CharRun = PatternNode & { kind: "repeat" } & { node: PatternNode & { kind: "char" } };

/** Matches a repeated character without recursion: finds all ends, then tries them longest (or shortest) first. */
function matchRun(run: Run, node: CharRun, { at, next }: Place): boolean {
  const ends = [at];
  for (let end = at; ends.length <= node.most && end < run.text.length; ends.push(end)) {
    run.steps += 1;
    if (run.steps > run.stepsMax) throw EXHAUSTED;
    const char = run.text.codePointAt(end) ?? 0;
    if (!node.node.accepts(char)) break;
    end += char > 0xffff ? 2 : 1;
  }
  const allowed = ends.slice(node.least);
  return (node.lazy ? allowed : allowed.toReversed()).some((end) => next(end));
}

function isAt(text: string, at: number, edge: "start" | "end" | "word_edge" | "no_word_edge"): boolean {
  if (edge === "start") return at === 0;
  if (edge === "end") return at === text.length;
  const isEdge = /\w/.test(text[at - 1] ?? "") !== /\w/.test(text[at] ?? "");
  return isEdge === (edge === "word_edge");
}
