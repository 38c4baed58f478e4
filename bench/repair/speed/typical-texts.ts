import type { JsonSchema } from "#shared/json";
import { isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { CONTRACTS } from "../corpus/all-contracts.ts";
import { schemaOf } from "../corpus/contract.ts";
import type { CorpusContract } from "../corpus/contract.ts";
import { isHeldOutContract } from "../corpus/splits.ts";
import { Draw } from "../seeded.ts";

/** A typical answer with one fault, and the contract that it fits without it. */
export interface TypicalText {
  readonly fault: string;
  readonly text: string;
  readonly schema: JsonSchema;
}

/** Length from which an answer is long enough, so that most are some 2 KB, in UTF-16 units. */
const CHARS_MIN = 1600;

/** What spoils a sound text at one position, somewhere in its middle. */
const FAULTS: Readonly<Record<string, (json: string) => string>> = {
  none: (json) => json,
  "fence with prose": (json) => `Here is the result:\n\n\`\`\`json\n${json}\n\`\`\`\n\nAnything else?`,
  "prose before": (json) => `Here is the result:\n\n${json}`,
  "trailing comma": (json) => replaced(json, /(?<=[\w"])(?=\s*\})/g, ","),
  "missing comma": (json) => replaced(json, /,(?=\s*")/g, ""),
  "missing end quote of a name": (json) => replaced(json, /(?<=\w)"(?=:)/g, ""),
  "name without quotes": (json) => replaced(json, /"(\w+)"(?=:)/g, "$1"),
  "literal of Python": (json) => replaced(json, /(?<=: ?)(?:true|false|null)\b/g, "None"),
  comment: (json) => replaced(json, /,(?=\s*")/g, ", /* as stated */"),
  "quotes inside a text": (json) => replaced(json, /(?<=: ?"[^"]*) /g, ' "so" '),
  "line break inside a text": (json) => replaced(json, /(?<=: ?"[^"]*) /g, "\n"),
  "closers missing": (json) => json.replace(/\s*[}\]]\s*[}\]]$/, ""),
  "single quotes": (json) => (json.includes("'") ? json : json.replaceAll(/(?<!\\)"/g, "'")),
};

/** Replaces the match that is nearest to the middle; `$1` stands for its group. */
function replaced(json: string, pattern: RegExp, by: string): string {
  const matches = [...json.matchAll(pattern)];
  const one = matches[Math.floor(matches.length / 2)];
  if (one === undefined) return json;
  const [found, group = ""] = one;
  return json.slice(0, one.index) + by.replace("$1", group) + json.slice(one.index + found.length);
}

/** Makes answers of the development contracts, each with each fault that it can have. */
export function typicalTexts(seed: number): TypicalText[] {
  const draw = new Draw(seed);
  const contracts = CONTRACTS.filter((one) => !isHeldOutContract(one) && isObject(one.make(draw)));
  return contracts.flatMap((contract, at) => {
    const value = answerOf(contract, draw);
    const json = at % 2 === 0 ? JSON.stringify(value) : JSON.stringify(value, null, 2);
    const schema = { type: "array", items: schemaOf(contract) };
    return Object.entries(FAULTS).flatMap(([fault, spoil]) => {
      const text = spoil(json);
      return fault !== "none" && text === json ? [] : [{ fault, text, schema }];
    });
  });
}

/** As many values of a contract as make a typical answer. */
function answerOf(contract: CorpusContract, draw: Draw): JsonValue[] {
  const values: JsonValue[] = [];
  while (JSON.stringify(values).length < CHARS_MIN) values.push(contract.make(draw));
  return values;
}
