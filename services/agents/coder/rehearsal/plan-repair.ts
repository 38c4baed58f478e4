import { posix } from "node:path";
import type { StandIn } from "#shared/runtime";
import type { PlanInput } from "../planner/answer.ts";

const QUOTED = /`([^`\n]{2,80})`|"([^"\n]{2,80})"/g;
/** Written as code is: two cases in one word, an underscore, a dot between words, brackets after a word. */
const IDENTIFIER =
  /\b(?:[a-z]+(?:[A-Z][a-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|\w+_\w+|\w+(?=\(\))|[A-Z]\w*Error)\b/g;
const TERMS_MAX = 12;

/**
 * Plans by what the report names: what it quotes, what is written like code, and files that are called like its
 * words.
 */
export const planRepair: StandIn = ({ issue, files }: PlanInput) => {
  const quoted = [...issue.matchAll(QUOTED)].map(([, a, b]) => (a ?? b ?? "").replace(/\(.*\)$/, ""));
  const identifiers = issue.match(IDENTIFIER) ?? [];
  const stems = files.map((path) => posix.basename(path).replace(/\..*$/, ""));
  const words = new Set(issue.toLowerCase().match(/[a-z]{4,}/g));
  const named = stems.filter((stem) => stem.length > 3 && isNamed(stem, words));
  const terms = [...new Set([...quoted, ...identifiers, ...named].map((term) => term.trim()))];
  return {
    goal: firstSentence(issue),
    search_terms: terms.filter((term) => term.length > 1 && term.length <= 120).slice(0, TERMS_MAX),
    steps: [
      { id: 1, action: "reproduce", aim: "Run the tests on a copy and read what fails." },
      { id: 2, action: "search", aim: `Find where ${terms[0] ?? "what fails"} is defined and used.` },
      { id: 3, action: "repair", aim: "Write the smallest diff that removes the cause." },
      { id: 4, action: "verify", aim: "Apply the diff to a copy and run every test." },
    ],
  };
};

/** A file is named by a report that has all the words of its name, in one form or another. */
function isNamed(stem: string, words: ReadonlySet<string>): boolean {
  const parts = stem
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part.length > 2);
  return (
    parts.length > 0 &&
    parts.every((part) => [...words].some((word) => word.startsWith(part) || part.startsWith(word)))
  );
}

function firstSentence(text: string): string {
  const sentence = /^[^]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim();
  return sentence.replaceAll(/\s+/g, " ").slice(0, 500);
}
