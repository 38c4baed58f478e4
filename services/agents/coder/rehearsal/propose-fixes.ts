import type { StandIn } from "#shared/runtime";
import { belongsToTests } from "../checkout/project-path.ts";
import type { SourceText } from "../checkout/select-sources.ts";
import { applyDiff } from "../diff/apply-diff.ts";
import { digestDiff } from "../diff/digest-diff.ts";
import { writeDiff } from "../diff/write-diff.ts";
import type { FixesInput } from "../patcher/answer.ts";
import { listFunctions } from "./read-code.ts";
import { allWords, listChanges, listRenamings } from "./small-changes.ts";
import type { SmallChange } from "./small-changes.ts";

const WRONG_NAME = /export named '([\w$]+)'|([\w$]+) is not (?:defined|a function|a constructor)/g;

/** Proposes small changes of functions under suspicion, those first that failures speak for. The verifier decides. */
export const proposeFixes: StandIn = (input: FixesInput) => {
  const current = withBest(input);
  const code = current.filter(({ path }) => !belongsToTests(path));
  const shown = input.failing.map(({ message, actual }) => `${message}\n${actual ?? ""}`).join("\n");
  const names = [...shown.matchAll(WRONG_NAME)].map(([, a, b]) => a ?? b ?? "");
  const words = allWords(code);
  const changes = code.flatMap((source) => [
    ...listChanges(source),
    ...names.flatMap((name) => listRenamings(source, name, words)),
  ]);
  const weightOf = weighKinds(shown, input.failing.some(isOneOff));
  const suspicion = weighLines(input, code);
  const ranked = changes
    .map((change) => ({ change, score: weightOf[change.kind] * suspicion(change) }))
    .toSorted((a, b) => b.score - a.score);
  const known = new Set(input.tried.map(({ digest }) => digest));
  const fixes: { title: string; because: string; diff: string }[] = [];
  for (const { change } of ranked) {
    if (fixes.length >= input.fixes_max) break;
    const diff = diffOf(change, input.sources, current);
    if (diff === "" || known.has(digestDiff(diff))) continue;
    known.add(digestDiff(diff));
    const because = `${change.path}:${change.line} lies where the failure's evidence points to.`;
    fixes.push({ title: `another ${change.kind} in line ${change.line}`, because, diff });
  }
  return { fixes };
};

/** Weighs kinds of changes by the messages and values of failing tests. */
function weighKinds(shown: string, isNumberOff: boolean): Record<SmallChange["kind"], number> {
  return {
    name: 5,
    operator: 1,
    number: isNumberOff ? 2 : 0.6,
    copy: 2,
    await: /Promise|is not a function/.test(shown) ? 3 : 0.1,
    conversion: /'-?\d+'/.test(shown) ? 3 : 0.1,
  };
}

/** A number in the actual value is one more or less than the one in its place in the expected value. */
function isOneOff({ expected, actual }: FixesInput["failing"][number]): boolean {
  const wanted = expected?.match(/\d+/g) ?? [];
  const got = actual?.match(/\d+/g) ?? [];
  return got.some((number, place) => Math.abs(Number(number) - Number(wanted[place])) === 1);
}

/** Weighs lines by the suspect whose function they belong to, the first suspect most. */
function weighLines({ suspects }: FixesInput, sources: readonly SourceText[]) {
  const functions = sources.flatMap(listFunctions);
  const places = suspects.map(({ path, line }) => {
    const around = functions.findLast((one) => one.path === path && one.line <= line && line <= one.lastLine);
    return { path, line: around?.line ?? line, lastLine: around?.lastLine ?? line };
  });
  return ({ path, line }: SmallChange): number => {
    const rank = places.findIndex((one) => one.path === path && one.line <= line && line <= one.lastLine);
    return rank < 0 ? 0.1 : 1 / (1 + 0.3 * rank);
  };
}

function withBest({ sources, best }: FixesInput): readonly SourceText[] {
  if (best === null) return sources;
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const applied = applyDiff(best, (path) => texts.get(path) ?? null);
  if (!applied.ok) return sources;
  return sources.map(({ path, text }) => ({ path, text: applied.files.get(path) ?? text }));
}

/** Returns the diff against the checkout as it is, including what already helps. */
function diffOf(
  { path, edits }: SmallChange,
  originals: readonly SourceText[],
  current: readonly SourceText[],
): string {
  return current
    .map(({ path: own, text }, index) => {
      const changed = own === path ? applyEdits(text, edits) : text;
      return writeDiff(own, originals[index]?.text ?? "", changed);
    })
    .join("");
}

function applyEdits(text: string, edits: SmallChange["edits"]): string {
  return edits.reduceRight((before, { start, end, text: own }) => {
    return before.slice(0, start) + own + before.slice(end);
  }, text);
}
