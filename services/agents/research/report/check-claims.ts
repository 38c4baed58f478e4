import type { ContractOutput } from "#shared/contract";
import type { HeldClaim } from "../contract-fields.ts";
import type { Brief } from "../contracts.ts";
import { VERDICTS } from "../result.ts";
import type { CheckedClaim } from "../result.ts";

/** Gives each claim of the document its verdict, by what two readings found. Contradictions come first. */
export function checkClaims(
  { claims, findings }: ContractOutput<typeof Brief>,
  markers: ReadonlyMap<string, string>,
): CheckedClaim[] {
  return claims
    .map((held) => ({
      verdict: verdictOf(held),
      claim: held.claim,
      quote: held.quote,
      evidence: held.evidence.flatMap(({ finding_id: id, stance }) => {
        const finding = findings.find((one) => one.finding_id === id);
        if (finding === undefined) return [];
        const { source_id, quote } = finding;
        return [{ stance, marker: markers.get(id) ?? "", source_id, quote }];
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
  contradicted: "What the sources contradict, as a model reads them",
  disputed: "What the sources disagree on, as a model reads them",
  unverifiable: "What no source at hand says",
  confirmed: "What the sources confirm, as a model reads them",
};

/** The verdicts as text, each with the words of the sources. Empty where there are no claims. */
export function writeVerdicts(
  claims: readonly CheckedClaim[],
  publisherOf: (marker: string) => string,
): string[] {
  return VERDICTS.flatMap((verdict) => {
    const own = claims.filter((one) => one.verdict === verdict);
    if (own.length === 0) return [];
    const lines = own.flatMap(({ quote, evidence }) => [
      `- You wrote: "${quote}"`,
      ...evidence.map(
        ({ stance, marker, quote: theirs }) =>
          `  - ${publisherOf(marker)} ${stance === "for" ? "says so" : "says otherwise"}: "${theirs}" [${marker}]`,
      ),
    ]);
    return [[`## ${HEADINGS[verdict]}`, ...lines].join("\n")];
  });
}
