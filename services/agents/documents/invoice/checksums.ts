/** Length of an IBAN by country; what is not listed here is only held against its check digits. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  AT: 20,
  BE: 16,
  CH: 21,
  CZ: 24,
  DE: 22,
  DK: 18,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  IE: 22,
  IT: 27,
  LI: 21,
  LU: 20,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  SE: 24,
};

/** Characters of an account number of a country; null where that is not known here. */
export function lengthOfIban(iban: string): number | null {
  return IBAN_LENGTHS[iban.slice(0, 2)] ?? null;
}

/** Returns true where an account number has its country's length and check digits that fit (ISO 7064, mod 97-10). */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  if (text.length !== (lengthOfIban(text) ?? text.length)) return false;
  let rest = 0;
  for (const char of text.slice(4) + text.slice(0, 4)) {
    const digits = /\d/.test(char) ? char : String(char.charCodeAt(0) - 55);
    for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
}

const digitsOf = (text: string): number[] => Array.from(text, Number);

/** Check digits of VAT numbers by country, on the digits behind its letters. */
const VAT_CHECKS: Readonly<Record<string, (number: string) => boolean>> = {
  DE: (number) => /^\d{9}$/.test(number) && isIso7064Mod11(digitsOf(number)),
  AT: (number) => /^U\d{8}$/.test(number) && isAustrian(digitsOf(number.slice(1))),
  BE: (number) =>
    /^[01]?\d{9}$/.test(number) && 97 - (Number(number.slice(0, -2)) % 97) === Number(number.slice(-2)),
  FR: (number) =>
    /^[A-Z0-9]{2}\d{9}$/.test(number) &&
    (!/^\d{11}$/.test(number) ||
      (12 + 3 * (Number(number.slice(2)) % 97)) % 97 === Number(number.slice(0, 2))),
  IT: (number) => /^\d{11}$/.test(number) && isLuhn(digitsOf(number)),
  GB: (number) => /^\d{9}(?:\d{3})?$/.test(number) && isBritish(digitsOf(number.slice(0, 9))),
  NL: (number) => /^\d{9}B\d{2}$/.test(number),
  ES: (number) => /^[A-Z0-9]\d{7}[A-Z0-9]$/.test(number),
  PL: (number) => /^\d{10}$/.test(number) && isPolish(digitsOf(number)),
  CH: (number) => /^E\d{9}(?:MWST|TVA|IVA)?$/.test(number) && isSwiss(digitsOf(number.slice(1, 10))),
};

/** Returns true where a VAT number could be one; null: of a country whose numbers are not known here. */
export function isVatId(text: string): boolean | null {
  const plain = text.toUpperCase().replaceAll(/[\s.-]/g, "");
  const check = VAT_CHECKS[plain.slice(0, 2)];
  return check === undefined ? null : check(plain.slice(2));
}

function isIso7064Mod11(digits: readonly number[]): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (digit + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return (11 - product) % 10 === digits.at(-1);
}

function isAustrian(digits: readonly number[]): boolean {
  const sum = digits.slice(0, 7).reduce((total, digit, index) => {
    const part = index % 2 === 0 ? digit : digit * 2;
    return total + Math.floor(part / 10) + (part % 10);
  }, 0);
  return (((96 - sum) % 10) + 10) % 10 === digits[7];
}

function isLuhn(digits: readonly number[]): boolean {
  const sum = digits.toReversed().reduce((total, digit, index) => {
    const part = index % 2 === 0 ? digit : digit * 2;
    return total + (part > 9 ? part - 9 : part);
  }, 0);
  return sum % 10 === 0;
}

function weigh(digits: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);
}

/** Numbers issued since 2010 add 55 to the older sum. */
function isBritish(digits: readonly number[]): boolean {
  const sum = weigh(digits, [8, 7, 6, 5, 4, 3, 2]) + (digits[7] ?? 0) * 10 + (digits[8] ?? 0);
  return sum % 97 === 0 || (sum + 55) % 97 === 0;
}

function isPolish(digits: readonly number[]): boolean {
  return weigh(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === digits[9];
}

function isSwiss(digits: readonly number[]): boolean {
  return (11 - (weigh(digits, [5, 4, 3, 2, 7, 6, 5, 4]) % 11)) % 11 === digits[8];
}
