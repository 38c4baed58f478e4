import type { StandIn } from "#shared/runtime";
import type { PlanInput } from "../planner/answer.ts";

const QUOTED = /[`"]([^`"\n]{2,80})[`"]/g;
/** Written as code is: two cases in one word, an underscore, brackets after a word, an error's name. */
const IDENTIFIER = /\b(?:[a-z]+(?:[A-Z][a-z0-9]*)+|\w+_\w+|\w+(?=\(\))|[A-Z]\w*Error)\b/g;
const TERMS_MAX = 12;

/** Plans to search for what the report quotes, and for what is written like code. */
export const planRepair: StandIn = ({ issue }: PlanInput) => {
  const quoted = [...issue.matchAll(QUOTED)].map(([, term = ""]) => term.replace(/\(.*\)$/, "").trim());
  const terms = [...new Set([...quoted, ...(issue.match(IDENTIFIER) ?? [])])].filter(
    (term) => term.length > 1,
  );
  return {
    goal: issue.replaceAll(/\s+/g, " ").trim().slice(0, 500),
    search_terms: terms.slice(0, TERMS_MAX),
    steps: [
      { id: 1, action: "reproduce", aim: "Run the tests on a copy and read what fails." },
      { id: 2, action: "search", aim: `Find where ${terms[0] ?? "what fails"} is defined and used.` },
      { id: 3, action: "repair", aim: "Write the smallest diff that removes the cause." },
      { id: 4, action: "verify", aim: "Apply the diff to a copy and run every test." },
    ],
  };
};
