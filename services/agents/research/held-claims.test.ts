import { expect, test } from "vitest";
import { openModelSystem } from "../../../tests/support/open-model-system.ts";
import { createResearchTeam } from "./team.ts";
import { openAsks } from "./testing/open-team.ts";

/** Claims of documents with the answers that a good model gives: no right one is overruled, and no lone one counts. */

interface Case {
  readonly claim: string;
  readonly source: string;
  readonly first: "for" | "against" | null;
  readonly second: "supports" | "contradicts" | "neither";
}

const of = (
  claim: string,
  source: string,
  [first, second]: readonly [Case["first"], Case["second"]],
): Case => ({ claim, source, first, second });
const FOR = ["for", "supports"] as const;
const AGAINST = ["against", "contradicts"] as const;

test.each([
  ["confirmed", of("The march had 2,400 people.", "Two thousand four hundred people marched.", FOR)],
  ["confirmed", of("Each gate weighs 210,000 kg.", "A single gate has a weight of 210 tonnes.", FOR)],
  ["confirmed", of("Die Brücke wurde 1998 eröffnet.", "The bridge was inaugurated in 1998.", FOR)],
  ["confirmed", of("Færgen sejler hver dag.", "The ferry runs daily, Sundays included.", FOR)],
  ["confirmed", of("About 400,000 people visited.", "The library counted 398,212 visitors.", FOR)],
  ["contradicted", of("The pump delivers 27 kWh.", "The pump delivers 2.7 kWh of heat.", AGAINST)],
  ["contradicted", of("Le maire a signé le contrat.", "The mayor refused to sign the contract.", AGAINST)],
  ["contradicted", of("It opened in May.", "The doors were first opened on 3 June.", AGAINST)],
  ["unverifiable", of("It weighs 21 tonnes.", "Each gate weighs 210 tonnes.", ["for", "contradicts"])],
  ["unverifiable", of("Tram 4 is on time.", "Trams on line 5 are on time.", ["for", "neither"])],
  ["unverifiable", of("The lock is new.", "A lock is what boats wait in.", [null, "neither"])],
])("a claim is %s: %o", async (verdict, { claim, source, first, second }) => {
  const passage = {
    passage_id: "s#1",
    source_id: "s",
    title: "Source",
    publisher: "Publisher",
    published: "2024",
    text: source,
  };
  const library = { search: () => Promise.resolve({ passages: [passage], held_back: [] }) };
  const { system, endpoint } = await openModelSystem(createResearchTeam({ library }));
  const answers: Readonly<Record<string, object>> = {
    reference_analysis_2: { summary: "s", claims: [{ claim, quote: claim }], questions: [], left_out: 0 },
    researcher_holding_2: {
      stances: first === null ? [] : [{ stance: first, quote: source, passage_id: "s#1" }],
    },
    research_verdicts_1: {
      verdicts: [{ pair_id: "p1", verdict: second, quote: second === "neither" ? "" : source }],
    },
  };
  endpoint.behave = ({ schemaName }) => {
    const answer = answers[schemaName];
    return answer === undefined ? null : JSON.stringify(answer);
  };
  const result = await openAsks(system).ask({ document: { title: "Notes", text: claim } });
  expect(result.claims).toMatchObject([{ verdict, claim }]);
  const told = verdict === "unverifiable" ? "no source at hand says" : source;
  expect(result.answer.toLowerCase()).toContain(told.toLowerCase());
  const blind = endpoint.seen.find(({ schemaName }) => schemaName === "research_verdicts_1");
  expect(JSON.stringify(blind?.body.messages ?? [])).not.toContain("stance");
});
