import type { Span } from "./sensitive-kinds.ts";

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

/** Start of an IBAN: country and two check digits. */
const HEAD = /(?<![\p{L}\p{N}])[A-Za-z]{2}[ \u00A0-]?\d{2}/gu;
const PART = /[A-Za-z0-9]/;
const SEPARATOR = /[ \u00A0\u202F-]/;
const WORD = /[\p{L}\p{N}]/u;

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
  const isWhole = characters.length === length && !WORD.test(text.charAt(at));
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
