const DIGITS_MAX = 19;

/** Digits in groups with single separators, as a maximal run, so that each digit is read once. */
const RUN = /[\d\uFF10-\uFF19](?:[ \u00A0\u2009\u202F.\-\u2010-\u2015]?[\d\uFF10-\uFF19]){12,}/g;
const GROUP = /[\d\uFF10-\uFF19]+/g;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const WORD = /[\p{L}\p{N}_]/u;

/** Finds card numbers: 13 to 19 digits in groups, with a card prefix and a valid Luhn sum, longest first. Linear. */
export function findCards(text: string): Span[] {
  return [...text.matchAll(RUN)].flatMap((run) => {
    const groups = [...run[0].matchAll(GROUP)].map((group) => ({
      start: run.index + group.index,
      // Full-width digits are NFKC's ASCII ones.
      digits: group[0].normalize("NFKC"),
    }));
    return findInGroups(groups).filter(({ start, end }) => isAlone(text, { start, end }));
  });
}

interface Group {
  readonly start: number;
  readonly digits: string;
}

function findInGroups(groups: readonly Group[]): Span[] {
  const found: Span[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const last = lastGroupOfCard(groups, first);
    const [from, to] = [groups[first], groups[last]];
    if (from === undefined || to === undefined) continue;
    found.push({ start: from.start, end: to.start + to.digits.length });
    first = last;
  }
  return found;
}

/** The last group of the longest card number from a group on; -1 for none. */
function lastGroupOfCard(groups: readonly Group[], first: number): number {
  let digits = "";
  let found = -1;
  for (let last = first; last < groups.length && digits.length <= DIGITS_MAX; last += 1) {
    digits += groups[last]?.digits ?? "";
    if (isCardNumber(digits)) found = last;
  }
  return found;
}

/** Returns true for 13 to 19 digits with the prefix of a card scheme and a valid Luhn sum. */
export function isCardNumber(digits: string): boolean {
  return /^[2-6]\d{12,18}$/.test(digits) && keepsLuhn(digits);
}

function keepsLuhn(digits: string): boolean {
  let sum = 0;
  for (let n = 0; n < digits.length; n += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - n) - 48;
    const doubled = n % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Rejects parts of longer words, such as identifiers, and runs that begin with a date. */
function isAlone(text: string, { start, end }: Span): boolean {
  if (DATE.test(text.slice(start, start + 10))) return false;
  return !WORD.test(text.charAt(start - 1)) && !WORD.test(text.charAt(end));
}

/** IBAN lengths by country, from the ISO 13616 registry. */
const LENGTHS = new Map(
  [
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24",
    "FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32",
    "LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24",
    "RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30",
  ]
    .join(" ")
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

const HEAD = /(?<![\p{L}\p{N}])[A-Za-z]{2}[ \u00A0-]?\d{2}/gu;
const PART = /[A-Za-z0-9]/;
const SEPARATOR = /[ \u00A0\u202F-]/;
const LETTER = /[\p{L}\p{N}]/u;

/** Finds IBANs, with or without groups, by the country's length and the mod 97 check. Linear. */
export function findIbans(text: string): Span[] {
  return [...text.matchAll(HEAD)].flatMap((head) => {
    const length = LENGTHS.get(head[0].slice(0, 2).toUpperCase());
    const read = length === undefined ? null : readFrom(text, { start: head.index, length });
    return read === null ? [] : [read];
  });
}

function readFrom(
  text: string,
  { start, length }: { readonly start: number; readonly length: number },
): Span | null {
  let characters = "";
  let at = start;
  while (characters.length < length && at < text.length) {
    const char = text.charAt(at);
    if (PART.test(char)) characters += char;
    // At most one separator at a time, and none at the start.
    else if (!SEPARATOR.test(char) || !PART.test(text.charAt(at - 1))) return null;
    at += 1;
  }
  const isWhole = characters.length === length && !LETTER.test(text.charAt(at));
  return isWhole && keepsMod97(characters.toUpperCase()) ? { start, end: at } : null;
}

function keepsMod97(iban: string): boolean {
  let remainder = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

const LOCAL = /[\p{L}\p{N}._%+'-]*$/u;
const LOCAL_CHARS_MAX = 64;
const DOMAIN_CHARS_MAX = 253;
/** Labels of letters, digits and hyphens; the last of letters alone. */
const DOMAIN_FORM = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,10}\p{L}{2,24}/u;

/** Finds e-mail addresses from their `@` outwards, within bounds. Linear. */
export function findEmails(text: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const local = LOCAL.exec(text.slice(Math.max(0, at - LOCAL_CHARS_MAX), at))?.[0] ?? "";
    const domain = DOMAIN_FORM.exec(text.slice(at + 1, at + 1 + DOMAIN_CHARS_MAX))?.[0];
    const start = Math.max(at - local.length, found.at(-1)?.end ?? 0);
    if (start < at && domain !== undefined) found.push({ start, end: at + 1 + domain.length });
  }
  return found;
}

/** International, with a trunk zero, and North American groups of three and four. */
const FORMS: readonly RegExp[] = [
  /(?<![\p{L}\p{N}_+./-])(?:\+|00)[1-9](?:[ \u00A0()./-]{0,3}\d){6,14}(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}_+./-])\(?0[1-9]\d{0,4}\)?(?:[ \u00A0./-]{0,2}\d){5,11}(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}_+./-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\p{L}\p{N}_])/gu,
];
const DATE_FORM = /^\d{1,4}[./-]\d{1,2}[./-]\d{2,4}/;
const PHONE_DIGITS_MIN = 8;

/** Finds telephone numbers; excludes dates and decimal numbers. Linear. */
export function findPhones(text: string): Span[] {
  return FORMS.flatMap((form) => [...text.matchAll(form)])
    .filter(([number]) => number.replaceAll(/\D/g, "").length >= PHONE_DIGITS_MIN && !DATE_FORM.test(number))
    .map((found) => ({ start: found.index, end: found.index + found[0].length }));
}

/** Secrets with a known prefix. Each begins at a word boundary, so that a long one is read once. */
const MARKED: readonly RegExp[] = [
  /(?<![\w-])(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}/g,
  /(?<![\w-])(?:gh[opsur]_|github_pat_|glpat-|npm_|hf_|whsec_|xox[abeprs]-|shpat_|dop_v1_)[A-Za-z0-9_+/=-]{8,}/g,
  /(?<![\w-])(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)/g,
  /(?<![\w-])(?:AIza[\w-]{35}|ya29\.[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,})/g,
  /(?<![\w.-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
];

/** Secrets after a word such as "password"; the group is the secret. Placeholders do not match, for a second pass. */
const NAMED: readonly RegExp[] = [
  /(?<![A-Za-z])(?:password|passwd|passphrase|pwd|client[-_ ]?secret|secret)["']?\s{0,3}[:=]\s{0,3}["']?(?!\[(?:secret|iban|card|email|phone)\])([^\s"',;]{4,256})/gi,
  /(?<![A-Za-z])(?:api[-_ ]?key|access[-_ ]?token|auth[-_ ]?token|token)["']?\s{0,3}[:=]\s{0,3}["']?(?!\[(?:secret|iban|card|email|phone)\])((?=[^\s"',;]{0,255}\d)[^\s"',;]{8,256})/gi,
  /(?<![A-Za-z])(?:Bearer|Basic)\s{1,3}((?=[A-Za-z0-9._~+/=-]{0,255}\d)[A-Za-z0-9._~+/=-]{12,})/gi,
  /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:]{0,128}:(?!\[(?:secret|iban|card|email|phone)\])([^\s/@]{1,256})@/gi,
];

/** Prefilter: a substring of every pattern above. Most texts contain none. */
const HINT =
  /[spr]k[-_]|gh[opsur]_|github_pat_|glpat-|npm_|hf_|whsec_|xox[abeprs]-|shpat_|dop_v1_|AKIA|ASIA|AIza|ya29\.|SG\.|eyJ|-----BEGIN|pass|pwd|secret|key|token|bearer|basic|:\/\//i;

/** Finds keys, tokens and passwords by their prefix or the word before them. Linear. */
export function findSecrets(text: string): Span[] {
  if (!HINT.test(text)) return [];
  const marked = MARKED.flatMap((mark) =>
    [...text.matchAll(mark)].map((found) => ({ start: found.index, end: found.index + found[0].length })),
  );
  const named = NAMED.flatMap((name) =>
    [...text.matchAll(name)].map((found) => {
      const [whole, secret = ""] = found;
      const start = found.index + whole.lastIndexOf(secret);
      return { start, end: start + secret.length };
    }),
  );
  return [...marked, ...named];
}

const SECRET_NAME =
  /^(?:.*[-_ ])?(?:password|passwd|passphrase|pwd|secret|api[-_ ]?key|apikey|access[-_ ]?token|auth[-_ ]?token|private[-_ ]?key|authorization)$/i;
const NAME_CHARS_MAX = 80;

/** Returns true for the name of a member that contains a secret, whatever its value. */
export function isSecretName(name: string): boolean {
  return name.length <= NAME_CHARS_MAX && SECRET_NAME.test(name.replaceAll(/([a-z])([A-Z])/g, "$1_$2"));
}

/** Kinds to take out: `card` by Luhn, `iban` by mod 97, `email`, `phone` in usual forms, `secret` by marks. */
export const SENSITIVE_KINDS = ["secret", "iban", "card", "email", "phone"] as const;

export type SensitiveKind = (typeof SENSITIVE_KINDS)[number];

/** A range of a text in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
