import { isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Part } from "../contract.ts";
import type { TextDamage } from "../damage.ts";
import { propertiesOf, sitesOf } from "../sites.ts";
import { nextOf, rewritten, rewrittenOnce, tokensOf } from "./json-tokens.ts";
import type { Token } from "./json-tokens.ts";

const isComma = ({ text }: Token): boolean => text === ",";
const isCloser = ({ text }: Token): boolean => /^[}\]]$/.test(text);

/** A string's content, unescaped. */
const contentOf = ({ text }: Token): string => String(JSON.parse(text));

/** A string of words that no reader takes for a number, a literal or a mark. */
const isPlainText = (text: string): boolean =>
  /^"\p{L}[\p{L} .]*\p{L}"$/u.test(text) &&
  !/^"(?:true|false|null|none|nil|yes|no|undefined|nan)"$/i.test(text);

/** Whether every object holds all members that its contract declares. */
const hasAll = (value: JsonValue, part: Part): boolean =>
  sitesOf(value, part).every((site) =>
    Object.keys(propertiesOf(site.part)).every(
      (name) => !isObject(site.value) || Object.hasOwn(site.value, name),
    ),
  );

/** What models get wrong in JSON itself. Each takes sound JSON. */
export const SYNTAX: readonly TextDamage[] = [
  {
    name: "comments at line ends",
    why: "a comment outside of strings is no data",
    takes: "json",
    apply: (json, draw) => {
      const mark = draw.pick(["//", "#"]);
      const note = draw.pick(["as stated", "from the text", "check: done?", 'not "sure"']);
      return json.includes("\n")
        ? rewritten(json, ({ kind, text }, index, tokens) =>
            kind === "space" && text.includes("\n") && tokens[index - 1]?.text === ","
              ? ` ${mark} ${note}${text}`
              : text,
          )
        : undefined;
    },
  },
  {
    name: "block comments",
    why: "a comment outside of strings is no data",
    takes: "json",
    apply: (json) =>
      rewritten(json, ({ text }, index) => (text === "," && index % 3 === 0 ? ", /* see above */" : text)),
  },
  {
    name: "trailing commas",
    why: "nothing follows the comma",
    takes: "json",
    apply: (json) =>
      rewritten(json, (token, index, tokens) => {
        const next = nextOf(tokens, index);
        const isEnd =
          next !== undefined && isCloser(next) && !/^[,:{[]$/.test(token.text) && token.kind !== "space";
        return isEnd ? `${token.text},` : token.text;
      }),
  },
  {
    name: "commas missing at line ends",
    why: "each member stands on its own line",
    takes: "json",
    apply: (json) =>
      rewritten(json, ({ text }, index, tokens) =>
        text === "," && tokens[index + 1]?.text.includes("\n") === true ? "" : text,
      ),
  },
  {
    name: "doubled commas",
    why: "nothing stands between the two, and in an object there is no empty place",
    takes: "json",
    apply: (json, draw) =>
      rewrittenOnce(
        json,
        (token, index, tokens) => isComma(token) && nextOf(tokens, index)?.kind === "name",
        {
          pick: (all) => draw.find(all),
          how: () => ",,",
        },
      ),
  },
  {
    name: "colon missing after a quoted name",
    why: "a name in quotes followed by a value on its line can be nothing else",
    takes: "json",
    apply: (json, draw) =>
      json.includes("\n")
        ? rewrittenOnce(json, ({ text }) => text === ":", { pick: (all) => draw.find(all), how: () => "" })
        : undefined,
  },
  {
    name: "equals sign or arrow for the colon",
    why: "it stands between a quoted name and its value",
    takes: "json",
    apply: (json, draw) => {
      const mark = draw.pick([" =", " =>", " ->"]);
      return rewritten(json, ({ text }) => (text === ":" ? mark : text));
    },
  },
  {
    name: "semicolons for commas",
    why: "it stands where only a comma may stand",
    takes: "json",
    apply: (json) => rewritten(json, ({ text }) => (text === "," ? ";" : text)),
  },
  {
    name: "inner quotes not escaped",
    why: "each inner quote has a letter or blank on both sides, and none is followed by a mark of JSON",
    takes: "json",
    apply: (json) =>
      rewritten(json, (token) => {
        const content = contentOf(token.kind === "string" ? token : { ...token, text: '""' });
        const isSafe =
          /[^\\]"/.test(content) && !/"\s*(?:[,:}\]"\n]|$)/.test(content) && !content.startsWith('"');
        return isSafe && !content.includes("\\") ? token.text.replaceAll('\\"', '"') : token.text;
      }),
  },
  {
    name: "raw line breaks and tabs in strings",
    why: "the string is closed further down, and what stands between is its content",
    takes: "json",
    apply: (json) =>
      rewritten(json, ({ kind, text }) =>
        kind === "string" && !text.includes("\\\\") && !/["'}\]],?\s*\\n/.test(text)
          ? text.replaceAll("\\n", "\n").replaceAll("\\t", "\t")
          : text,
      ),
  },
  {
    name: "closing quote missing at a line end",
    why: "the line ends there, and the next one begins with a quoted name",
    takes: "json",
    apply: (json, draw) =>
      rewrittenOnce(
        json,
        ({ kind, text }, index, tokens) =>
          kind === "string" &&
          isPlainText(text) &&
          tokens[index + 1]?.text === "," &&
          tokens[index + 2]?.text.includes("\n") === true &&
          nextOf(tokens, index + 1)?.kind === "name",
        { pick: (all) => draw.find(all), how: ({ text }) => text.slice(0, -1) },
      ),
  },
  {
    name: "opening quote missing",
    why: "the colon stands before the text, and its closing quote ends it",
    takes: "json",
    apply: (json, draw) =>
      rewrittenOnce(
        json,
        ({ kind, text }, index, tokens) =>
          kind === "string" &&
          isPlainText(text) &&
          tokens.slice(Math.max(0, index - 2), index).some((before) => before.text === ":"),
        { pick: (all) => draw.find(all), how: ({ text }) => text.slice(1) },
      ),
  },
  {
    name: "texts without quotes",
    why: "each stands between colon and comma at the line's end, and holds no mark of JSON",
    takes: "json",
    apply: (json) =>
      json.includes("\n")
        ? rewritten(json, ({ kind, text }) =>
            kind === "string" && isPlainText(text) ? text.slice(1, -1) : text,
          )
        : undefined,
  },
  {
    name: "texts joined by a plus sign",
    why: "JavaScript and Python read the two as one",
    takes: "json",
    apply: (json, draw) =>
      rewrittenOnce(json, ({ kind, text }) => kind === "string" && isPlainText(text) && text.length > 8, {
        pick: (all) => draw.find(all),
        how: ({ text }) => `${text.slice(0, 5)}" + "${text.slice(5)}`,
      }),
  },
  {
    name: "names without quotes",
    why: "each stands before a colon",
    takes: "json",
    apply: (json) =>
      rewritten(json, ({ kind, text }) =>
        kind === "name" && /^"[A-Za-z_]\w*"$/.test(text) ? text.slice(1, -1) : text,
      ),
  },
  {
    name: "comments that touch values",
    why: "a comment outside of strings is no data",
    takes: "json",
    apply: (json) =>
      rewritten(json, ({ kind, text }, index) =>
        kind === "number" || kind === "literal"
          ? `${text}${index % 2 === 0 ? "/* checked */" : "/*?*/"}`
          : text,
      ),
  },
  {
    name: "escaped apostrophes",
    why: "JSON has no escape of an apostrophe, and every language that has one means the apostrophe",
    takes: "json",
    apply: (json) =>
      rewritten(json, ({ kind, text }) =>
        kind === "string" && !text.includes("\\") ? text.replaceAll("'", "\\'") : text,
      ),
  },
  {
    name: "closers missing at the end",
    why: "every value is complete, no list is open that could go on, and all declared members are there",
    takes: "json",
    apply: (json, _, { value, contract }) => {
      const left = json.replace(/[\s}\]]+$/, "");
      const isOpen = json.slice(left.length).includes("]") || !hasAll(value, contract.part);
      return !isOpen && /(?:"|true|false|null)$/.test(left) ? left : undefined;
    },
  },
  {
    name: "one closer too many",
    why: "the value is closed already",
    takes: "json",
    apply: (json, draw) => (/[}\]]$/.test(json) ? `${json}${draw.pick(["}", "]", "\n}"])}` : undefined),
  },
  {
    name: "wrong closer",
    why: "the bracket that is open can be closed by one mark only",
    takes: "json",
    apply: (json, draw) =>
      rewrittenOnce(json, (token) => isCloser(token) && token.depth > 0, {
        pick: (all) => draw.find(all),
        how: ({ text }) => (text === "}" ? "]" : "}"),
      }),
  },
  {
    name: "opening brace missing",
    why: "the first member stands at the start, as if the brace had been given in advance",
    takes: "json",
    apply: (json) => (json.startsWith("{") ? json.replace(/^\{\s*/, "") : undefined),
  },
  {
    name: "outer braces missing",
    why: "the members stand there in full",
    takes: "json",
    apply: (json) => (json.startsWith("{") ? json.slice(1, -1).trim() : undefined),
  },
  {
    name: "doubled braces",
    why: "every brace is doubled, as templates escape them, and no string holds one",
    takes: "json",
    apply: (json) => {
      const inString =
        tokensOf(json)?.some(({ kind, text }) => kind === "string" && /[{}]/.test(text)) ?? true;
      return json.includes("{") && !inString ? json.replaceAll("{", "{{").replaceAll("}", "}}") : undefined;
    },
  },
  {
    name: "items without the list's brackets",
    why: "the contract asks for a list, and each item is complete",
    takes: "json",
    apply: (json, draw) => {
      const value: unknown = JSON.parse(json);
      return Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === "object")
        ? value.map((item) => JSON.stringify(item)).join(draw.pick(["\n", ",\n", "\n\n"]))
        : undefined;
    },
  },
];
