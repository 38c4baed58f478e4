/** Resemblance of a text to a prompt injection. */
export interface InjectionScore {
  /** 0 for no signal, approaching 1. Not a probability: compare it with a threshold. */
  readonly score: number;
  readonly reasons: readonly InjectionReason[];
}

/** Default threshold of a declared reaction. */
export const INJECTION_AT_DEFAULT = 0.6;

const HIDING_WEIGHT = 0.5;
/** Number of disguised letters that is no accident. */
const DISGUISED_MIN = 2;
const ENCODED = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,4096}={0,2}/g;
const ENCODED_MAX = 32;

/**
 * Scores a text for prompt injection, by heuristics. Determined attacks pass, and honest texts are flagged at times:
 * call a person, never drop a message. Linear; reads both ends of texts over 262,144 characters.
 */
export function scoreInjection(text: string): InjectionScore {
  const weights = weighPlain(text);
  for (const piece of text.matchAll(ENCODED).take(ENCODED_MAX)) {
    const inner = weighPlain(decoded(piece[0]));
    inner.delete("hides_text");
    if (total(inner) > 0) weights.set("encodes_orders", Math.max(...inner.values()));
  }
  return { score: total(weights), reasons: [...weights.keys()] };
}

function weighPlain(original: string): Map<InjectionReason, number> {
  const { text, hidden, disguised } = toPlainText(original);
  const weights = new Map<InjectionReason, number>();
  for (const signal of SIGNALS) {
    const [reason, weight] = signal;
    if ((weights.get(reason) ?? 0) < weight && isGiven(signal, text)) weights.set(reason, weight);
  }
  if (hidden > 0 || disguised >= DISGUISED_MIN) weights.set("hides_text", HIDING_WEIGHT);
  return weights;
}

/** Combines independent weights: 1 - ∏(1 - weight). */
function total(weights: ReadonlyMap<InjectionReason, number>): number {
  const left = [...weights.values()].reduce((product, weight) => product * (1 - weight), 1);
  return Math.round((1 - left) * 1000) / 1000;
}

/** Decodes base64 text; "" for other content. */
function decoded(piece: string): string {
  const text = Buffer.from(piece, "base64").toString("utf8");
  return text.includes("\uFFFD") || text.includes("\0") ? "" : text;
}

/** Of longer texts only the beginning and the end, together this many characters, are examined. */
const CHARS_MAX = 262_144;

/** Invisible characters, which hide words from patterns. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Invisible characters without an honest use in any script. */
const HIDING = /[\u202A-\u202E\u2066-\u2069\u{E0020}-\u{E007F}]/gu;
const INSIDE_WORD = /(?<=[A-Za-z])[\u00AD\u200B\u2060\uFEFF](?=[A-Za-z])/g;

/** Letters of other scripts, and the Latin ones that they look like. */
const [FOREIGN, LATIN] = ["авсԁеѕһіјкмнортухѵαεικνορτυχıɡⅼ", "abcdeshijkmhoptyxvaeikvoptuxigl"];
const MIXED_WORD = /[\p{L}]{2,64}/gu;

interface PlainText {
  readonly text: string;
  /** Number of characters that hide or reverse text. */
  readonly hidden: number;
  /** Number of Latin words with lookalike letters. */
  readonly disguised: number;
}

/** Normalises a text for patterns: Unicode, invisible characters, lookalikes, spaces, case. Keeps lines. Linear. */
export function toPlainText(original: string): PlainText {
  const bounded =
    original.length <= CHARS_MAX
      ? original
      : `${original.slice(0, CHARS_MAX / 2)}\n${original.slice(-CHARS_MAX / 2)}`;
  const hidden = count(bounded, HIDING) + count(bounded, INSIDE_WORD);
  let disguised = 0;
  const text = bounded
    .replaceAll(INVISIBLE, "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(MIXED_WORD, (word) => {
      const unmasked = unmask(word);
      if (unmasked !== word) disguised += 1;
      return unmasked;
    })
    .replaceAll(/[^\S\n]+/g, " ");
  return { text: joinSpacedLetters(text), hidden, disguised };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Only words with Latin letters: Cyrillic words stay Cyrillic. */
function unmask(word: string): string {
  if (!/[a-z]/.test(word) || /^[a-z]+$/.test(word)) return word;
  return word.replaceAll(/\p{L}/gu, (character) => LATIN[FOREIGN.indexOf(character)] ?? character);
}

/** Joins `i.g.n.o.r.e` and `i g n o r e`: at least four single letters with the same separator. */
function joinSpacedLetters(text: string): string {
  return text.replaceAll(/(?<!\p{L})\p{L}([ .*_-])\p{L}(?:\1\p{L}(?!\p{L})){2,}(?!\p{L})/gu, (spaced) =>
    spaced.replaceAll(/[ .*_-]/g, ""),
  );
}

/**
 * - `overrides_orders`: what stands before is to be ignored;
 * - `claims_role`: it speaks as the system, or turns the reader into somebody else;
 * - `forges_delimiter`: it pretends that the quotation ends;
 * - `imitates_call`: it is written like a tool call or an envelope of ours;
 * - `asks_secrecy`, `asks_secrets`: nobody is to know; prompts, keys or other people's data are to be shown or sent;
 * - `claims_authority`: an order to act on its own word;
 * - `hides_text`, `encodes_orders`: characters that cannot be seen, or letters in disguise; one of these in base64.
 */
type InjectionReason =
  | "overrides_orders"
  | "claims_role"
  | "forges_delimiter"
  | "imitates_call"
  | "asks_secrecy"
  | "asks_secrets"
  | "claims_authority"
  | "hides_text"
  | "encodes_orders";

/**
 * One pattern of prompt injections: its reason, its weight in (0, 1), where several strengthen each other, and what a
 * text normalised by `toPlainText` holds: the first part (flag `g`, bounded repetition only), and in some signals the
 * part that follows it in the same line within so many characters.
 */
type Signal = readonly [
  reason: InjectionReason,
  weight: number,
  first: RegExp,
  followedBy?: RegExp,
  withinChars?: number,
];

const IGNORE =
  /(?<!\p{L})(?:ignor(?:e[zrn]?|ing|ier\p{L}{0,4}|[ai]\p{L}{0,3})|disregard\p{L}{0,3}|forget|overrid(?:e|ing)|overrule|bypass|vergiss|vergesst|missachte\p{L}{0,2}|oublie[zr]?|olvid[ae]\p{L}{0,2}|dimentica\p{L}{0,2}|esque[cç]a\p{L}{0,2}|zignoruj|zapomnij|negeer|vergeet|игнориру\p{L}{0,4}|забудь\p{L}{0,2})(?!\p{L})|無視|忽略|忽视/gu;
const ORDERS =
  /(?<!\p{L})(?:instruct(?:ion|ions)|rules?|prompts?|polic(?:y|ies)|guidelines?|directives?|guardrails?|anweisung\p{L}{0,2}|regeln?|vorgaben|consignes|règles|instrucciones|reglas|istruzioni|regole|instru[cç][oõ]es|regras|instrukcj\p{L}{0,3}|polece\p{L}{0,4}|zasad\p{L}{0,2}|instructies|regels|инструкци\p{L}{0,3}|указани\p{L}{0,2}|правил\p{L}{0,2})(?!\p{L})|指示|指令|規則|规则|命令/gu;
const TELL = /\b(?:reveal|print|show|output|repeat|leak|send|post|forward|upload|exfiltrate|list)\b/gu;
const SECRETS =
  /\b(?:system prompt|your (?:prompt|instructions|rules)|api[ _-]?keys?|passwords|(?:admin|root|user|master) password|credentials|secrets|environment variables|(?:other|all) (?:customers?|users?))\b/gu;
const FORBID =
  /\b(?:do not|don't|never|without) (?:tell|mention|inform|show|reveal|report|log|notify)(?:ing|s)?\b/gu;
const PEOPLE = /\b(?:users?|customers?|anyone|anybody|operators?|humans?|supervisors?|team)\b/gu;
const ACT = /\b(?:approve|authori[sz]e|execute|run|invoke)\b/gu;
const AT_ONCE = /\b(?:every|all|any|immediately|without (?:asking|confirmation|review|approval))\b/gu;

const SIGNALS: readonly Signal[] = [
  ["overrides_orders", 0.7, IGNORE, ORDERS, 60],
  // In some languages the verb comes last.
  ["overrides_orders", 0.7, /指示|指令|命令|規則|规则/gu, /無視|忽略|忽视/gu, 20],
  [
    "overrides_orders",
    0.6,
    /\b(?:new|updated|real|actual|following) (?:system )?(?:instructions?|prompt|rules)(?: (?:are|is|apply|override|replace)\b|:)/gu,
  ],
  [
    "claims_role",
    0.6,
    /\byou are (?:now|no longer)\b|\bact as (?:an?|the|my) (?:admin\p{L}{0,10}|system|root|developer|unrestricted|dan)\b|\bpretend (?:to be|that you)\b|\b(?:developer|debug|god|jailbreak|admin|maintenance) mode\b/gu,
  ],
  // Honest lists of facts have lines with `System:` too.
  [
    "claims_role",
    0.4,
    /^[\s>*#"'-]{0,8}(?:system|assistant|developer|tool)(?: (?:message|prompt|override|note))?\s?[:\]>]/gmu,
  ],
  [
    "forges_delimiter",
    0.7,
    /<\|[a-z_]{2,30}\|>|\[\/?inst\]|<<\/?sys>>|<\/?(?:system|assistant|instructions?|user_input|untrusted|data|context)>/gu,
  ],
  [
    "forges_delimiter",
    0.6,
    /^[#=*_ -]{0,20}(?:end of|begin) (?:the )?(?:user |untrusted |customer )?(?:input|data|message|e-?mail|document|system prompt|quotation)\b/gmu,
  ],
  [
    "imitates_call",
    0.5,
    /"(?:tool_calls?|function_call|target_agent|data_payload|route|role)"\s{0,4}:\s{0,4}["{[]/gu,
  ],
  ["asks_secrecy", 0.4, FORBID, PEOPLE, 40],
  ["asks_secrets", 0.6, TELL, SECRETS, 60],
  ["asks_secrets", 0.5, /!\[[^\]\n]{0,80}\]\(https?:\/\/[^)\s?]{1,300}\?[^)\s]{0,300}\)/gu],
  ["claims_authority", 0.4, ACT, AT_ONCE, 30],
  [
    "claims_authority",
    0.4,
    /\b(?:message|note|order|task|instructions?) (?:for|to) (?:the )?(?:assistant|ai|bot|model|agent|llm)\b/gu,
  ],
  ["claims_authority", 0.4, /\bfrom now on\b/gu, /\b(?:treat|answer|respond|assume|obey|always)\b/gu, 60],
];

/** Returns true when a text gives a signal. Pairs matches by position: lookaheads would cost a window for each. */
function isGiven([, , first, followedBy, withinChars = 0]: Signal, text: string): boolean {
  if (followedBy === undefined) return text.search(first) !== -1;
  const ends = [...text.matchAll(first)].map((found) => found.index + found[0].length);
  if (ends.length === 0) return false;
  let at = 0;
  for (const { index } of text.matchAll(followedBy)) {
    // The nearest first part that ends before this second one.
    while (at + 1 < ends.length && (ends[at + 1] ?? Infinity) <= index) at += 1;
    const end = ends[at] ?? Infinity;
    if (end <= index && index - end <= withinChars && !text.slice(end, index).includes("\n")) return true;
  }
  return false;
}
