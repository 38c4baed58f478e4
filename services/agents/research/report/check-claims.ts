import type { ContractOutput } from "#shared/contract";
import type { HeldClaim } from "../contract-fields.ts";
import type { Brief } from "../contracts.ts";
import { VERDICTS } from "../result.ts";
import type { CheckedClaim } from "../result.ts";

/** Gives each claim of the document its verdict, by what was found for and against it. Contradictions come first. */
export function checkClaims(
  { claims, findings }: ContractOutput<typeof Brief>,
  markers: ReadonlyMap<string, string>,
): CheckedClaim[] {
  return claims
    .map((held) => ({
      verdict: verdictOf(held),
      claim: held.claim,
      quote: held.quote,
      evidence: held.evidence.flatMap(({ finding_id: id, stance, wrote, says }) => {
        const finding = findings.find((one) => one.finding_id === id);
        if (finding === undefined) return [];
        const { source_id, quote } = finding;
        return [{ stance, wrote, says, marker: markers.get(id) ?? "", source_id, quote }];
      }),
    }))
    .toSorted((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
}

function verdictOf({ evidence }: HeldClaim): CheckedClaim["verdict"] {
  const [isConfirmed, isDenied] = (["for", "against"] as const).map((side) =>
    evidence.some(({ stance }) => stance === side),
  );
  if (isDenied === true) return isConfirmed === true ? "disputed" : "contradicted";
  return isConfirmed === true ? "confirmed" : "unverifiable";
}

const HEADINGS: Readonly<Record<CheckedClaim["verdict"], string>> = {
  contradicted: "What the sources contradict",
  disputed: "What the sources disagree on",
  unverifiable: "What no source at hand says",
  confirmed: "What the sources confirm",
};

/** The verdicts as text, each with the words of both sides. Empty where there are no claims. */
export function writeVerdicts(
  claims: readonly CheckedClaim[],
  publisherOf: (marker: string) => string,
): string[] {
  return VERDICTS.flatMap((verdict) => {
    const own = claims.filter((one) => one.verdict === verdict);
    if (own.length === 0) return [];
    const lines = own.flatMap(({ quote, evidence }) => [
      `- You wrote: "${quote}"`,
      ...evidence.map(({ stance, wrote, says, marker, quote: theirs }) => {
        const source = publisherOf(marker);
        const told =
          stance === "against" ? `you wrote "${wrote}", ${source} says "${says}"` : `${source} says so`;
        return `  - ${told}: "${theirs}" [${marker}]`;
      }),
    ]);
    return [[`## ${HEADINGS[verdict]}`, ...lines].join("\n")];
  });
}
