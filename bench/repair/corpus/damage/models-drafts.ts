import { isObject, validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Draw } from "../../seeded.ts";
import { schemaOf } from "../contract.ts";
import { pretty } from "../damage.ts";
import type { Good, WholeDamage } from "../damage.ts";
import { enumOf, isDeclared, isNumber, isRequired, sitesOf, withValue } from "../sites.ts";

/** The answer with one fault that only the contract shows, and that no reader may mend. */
function draftOf({ value, contract }: Good, draw: Draw): JsonValue | undefined {
  const sites = sitesOf(value, contract.part).filter((site) => isDeclared(site) && isRequired(site));
  const site = draw.find(
    sites.filter((one) => isNumber(one) || enumOf(one.part).length > 0 || Array.isArray(one.value)),
  );
  const draft =
    site === undefined ? undefined : withValue(value, site.path, draw.next() < 0.5 ? undefined : "???");
  return draft === undefined || validate(draft, schemaOf(contract)).length === 0 ? undefined : draft;
}

const drafted = (
  name: string,
  why: string,
  how: (draft: string, answer: string, draw: Draw) => string,
): WholeDamage => ({
  name,
  why,
  make: (good, draw) => {
    const draft = isObject(good.value) ? draftOf(good, draw) : undefined;
    return draft === undefined || pretty(good.value).includes("```")
      ? undefined
      : { text: how(pretty(draft), pretty(good.value), draw), right: { value: good.value } };
  },
});

const fenced = (text: string): string => `\`\`\`json\n${text}\n\`\`\``;

/** Several candidates of which one fits the contract. */
export const DRAFTS: readonly WholeDamage[] = [
  drafted(
    "draft that breaks the contract, then the answer",
    "the second fits, and the first cannot",
    (draft, answer) => `First draft:\n${fenced(draft)}\n\nFinal version:\n${fenced(answer)}`,
  ),
  drafted(
    "self-correction",
    "the text takes the first back, and it breaks the contract",
    (draft, answer, draw) =>
      `${draft}\n\n${draw.pick(["Wait, actually, that is incomplete. Corrected:", "Hmm, that's wrong, let me fix it.", "Correction:"])}\n\n${answer}`,
  ),
  drafted(
    "answer, then an example of a mistake",
    "the text says which one is the answer, and the other breaks the contract",
    (draft, answer) => `${fenced(answer)}\n\nNot acceptable would be, for example:\n${fenced(draft)}`,
  ),
  {
    name: "format repeated, then the answer",
    why: "the first is a template whose values are types",
    make: ({ value, contract }) => {
      if (!isObject(value)) return undefined;
      const template = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typeof one]));
      const isAnswer = validate(template, schemaOf(contract)).length === 0;
      return isAnswer
        ? undefined
        : {
            text: `The format is ${JSON.stringify(template)}.\n\nHere it is:\n${pretty(value)}`,
            right: { value },
          };
    },
  },
];
