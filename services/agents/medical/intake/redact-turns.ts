import { redactText } from "#shared/guard";
import type { Turn } from "../contracts.ts";

const SELF: readonly { readonly said: RegExp; readonly becomes: string }[] = [
  {
    said: /(\b(?:[Mm]y (?:full )?name is|[Mm]y name'?s|I am called|[Mm]ein Name ist|[Ii]ch heiße)\s+)\p{Lu}[\p{L}'-]+(?:\s+(?:(?:von|van|de|der|da|al|bin)\s+)*\p{Lu}[\p{L}'-]+){0,3}/gu,
    becomes: "$1[name]",
  },
  {
    said: /(\b(?:I live (?:at|in|on)|[Mm]y address is|[Ii]ch wohne (?:in|am)(?: der)?)\s+)[^.;!?\n]{2,120}/gu,
    becomes: "$1[address]",
  },
  {
    said: /(\b(?:born(?: on)?|date of birth(?: is)?|geboren(?: am)?|geb\.)\s*:?\s*)(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2}|\d{1,2}\.?\s+\p{L}+\s+\d{4}|\p{L}+\s+\d{1,2},\s*\d{4})/giu,
    becomes: "$1[birth date]",
  },
  {
    said: /(\b(?:insurance|policy|social security|NHS|Versicherten)[\s-]*(?:number|no\.?|nummer|nr\.?)(?: is)?\s*:?\s*)[A-Z0-9][A-Z0-9 -]{5,20}\d/gi,
    becomes: "$1[insurance number]",
  },
];

/** Removes what identifies a person from turns. A name given once is removed wherever it stands. */
export function redactTurns(turns: readonly Turn[]): Turn[] {
  const names = [...new Set(turns.flatMap(({ text }) => namesIn(text)))];
  return turns.map(({ role, text }) => ({ role, text: redact(text, names) }));
}

function namesIn(text: string): string[] {
  const [{ said } = { said: /(?!)/g }] = SELF;
  return [...text.matchAll(said)].flatMap(([whole, before = ""]) =>
    whole
      .slice(before.length)
      .split(/\s+/)
      .filter((part) => /^\p{Lu}[\p{L}'-]{2,}$/u.test(part)),
  );
}

function redact(text: string, names: readonly string[]): string {
  let plain = text;
  for (const { said, becomes } of SELF) plain = plain.replaceAll(said, becomes);
  for (const name of names)
    plain = plain.replaceAll(new RegExp(`(?<![\\p{L}])${RegExp.escape(name)}(?![\\p{L}])`, "gu"), "[name]");
  return redactText(plain).text;
}
