import { readText } from "../checkout/read-text.ts";
import { belongsToTests } from "../checkout/project-path.ts";
import { walkFiles } from "../checkout/walk-files.ts";
import type { TrialWork } from "../contracts.ts";
import { PROOF_LIMITS_DEFAULT } from "../limits.ts";
import type { ProofLimits } from "../limits.ts";
import { parseDiff } from "../diff/parse-diff.ts";
import { judgeProof } from "../proof/judge-proof.ts";
import { proveFix } from "../proof/prove-fix.ts";
import type { ProvenFix } from "../result.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { Trial } from "../trial/try-diff.ts";

/** A diff with which every test passes. */
export interface GreenTrial {
  readonly diff: string;
  readonly passed: number;
}

type Known = Pick<TrialWork, "held_out" | "doubts">;

/**
 * Puts the first green diff that the held-out tests agree with to the proof; the first of all where they agree with
 * none. The others that are left are its rivals where they change other lines: tests that cannot choose between them
 * prove neither.
 */
export async function proveBest(
  green: readonly GreenTrial[],
  known: Known,
  trial: Trial,
  limits: ProofLimits = PROOF_LIMITS_DEFAULT,
): Promise<ProvenFix> {
  const agreed = await keepAgreed(green, known, trial);
  const left = agreed.length > 0 ? agreed : green;
  const [best, ...others] = left;
  if (best === undefined) throw new RangeError("There is no green diff to prove.");
  const places = placesOf(best.diff);
  const rivals = others.filter(({ diff }) => placesOf(diff).isDisjointFrom(places)).length;
  const second_test = known.held_out.length === 0 ? "none" : agreed.length > 0 ? "green" : "red";
  const judges =
    second_test === "green" ? [...(trial.written ?? []), ...known.held_out] : (trial.written ?? []);
  const tests = await readTests(trial);
  const proof = await proveFix({
    trial: { ...trial, diff: best.diff, written: judges },
    second_test,
    rivals,
    tests,
    limits,
  });
  return { ...best, proof, judgement: judgeProof(proof, known.doubts, limits) };
}

async function keepAgreed(
  green: readonly GreenTrial[],
  { held_out }: Known,
  trial: Trial,
): Promise<GreenTrial[]> {
  if (held_out.length === 0) return [...green];
  const agreed: GreenTrial[] = [];
  for (const one of green) {
    const written = [...(trial.written ?? []), ...held_out];
    if ((await tryDiff({ ...trial, diff: one.diff, written })).verdict === "green") agreed.push(one);
  }
  return agreed;
}

/** Returns the places that a diff changes, by the lines of the checkout: those it removes, and where it only adds. */
function placesOf(diff: string): Set<string> {
  const parsed = parseDiff(diff);
  const files = parsed.ok ? parsed.files : [];
  return new Set(
    files.flatMap(({ path, hunks }) =>
      hunks.flatMap(({ oldStart, lines }) => {
        let line = oldStart;
        return lines.flatMap((text, index) => {
          const isAddition = text.startsWith("+");
          const place = isAddition ? `${path}:before ${line}` : `${path}:${line}`;
          if (!isAddition) line += 1;
          const isReplacement = isAddition && /^[-+]/.test(lines[index - 1] ?? "");
          return text.startsWith(" ") || isReplacement ? [] : [place];
        });
      }),
    ),
  );
}

async function readTests({ root, checkoutLimits: limits, signal, written = [] }: Trial): Promise<string> {
  const files = await walkFiles({ root, limits, signal, withDependencies: false });
  const paths = files.map(({ path }) => path).filter((path) => belongsToTests(path));
  const texts = await Promise.all(
    paths.map((path) => readText({ root, path, bytesMax: limits.fileBytesMax })),
  );
  return [...texts.filter((text) => text !== null), ...written.map(({ text }) => text)].join("\n");
}
