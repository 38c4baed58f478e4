import type { ContractOutput } from "#shared/contract";
import type { StandIn } from "#shared/runtime";
import type { Explanation } from "../contracts.ts";

type Draft = ContractOutput<typeof Explanation>;

/** Names that code defines, in the languages of the samples and many like them. */
const DEFINITION =
  /\b(?:function\*?|def|fn|func|sub|fun|proc|class)\s+([A-Za-z_]\w*)|\b(?:const|let|val)\s+([A-Za-z_]\w*)\s*=\s*(?:async\s*)?\(/g;

/** A comment: what its author says the code is for. Licence lines are none. */
const COMMENT = /(?:\/\*\*?|\/\/|#(?!!)|--|"""|''')\s*([^\n*"']{12,300})/g;

const LINE_COMMENT = /(?:\/\/|#|--).*$/gm;

/**
 * Explains code by what its author wrote about it. Code without a comment, or one that gives orders in the place of a
 * description, is left to a person: no rule can tell what it is for.
 */
export const explainCode: StandIn = ({ code }: { readonly code: string }): Draft => {
  const bare = code.replaceAll(LINE_COMMENT, "");
  const names = [...bare.matchAll(DEFINITION)].flatMap(([, named, assigned]) => named ?? assigned ?? []);
  const [purpose] = [...code.matchAll(COMMENT)]
    .map(([, text = ""]) => text.trim().replace(/\s*\*\/$/, ""))
    .filter(
      (text) => !/SPDX|copyright|\bto-?do\b|eslint|\b(?:ignore|disregard|you are|system)\b/i.test(text),
    );
  const [first] = names;
  return {
    purpose: purpose === undefined || first === undefined ? null : purpose,
    names: names.slice(0, 20),
    example: first === undefined ? null : `${first}(…)`,
  };
};

/** Keeps the first draft's words, if most drafts could tell what the code is for. */
export const mergeDrafts: StandIn = ({ drafts }: { readonly drafts: readonly Draft[] }): Draft => {
  const telling = drafts.filter(({ purpose }) => purpose !== null);
  const isClear = telling.length * 2 > drafts.length;
  const [first] = isClear ? telling : drafts;
  return first === undefined
    ? { purpose: null, names: [], example: null }
    : { ...first, purpose: isClear ? first.purpose : null };
};
