/** Length of an IBAN by country; what is not listed here is only held against its check digits. */
const IBAN_LENGTHS = new Map(
  "AT20 BE16 CH21 CZ24 DE22 DK18 ES24 FI18 FR27 GB22 IE22 IT27 LI21 LU20 NL18 NO15 PL28 PT25 SE24"
    .split(" ")
    .map((one) => [one.slice(0, 2), Number(one.slice(2))]),
);

/** Returns true where an account number has its country's length and check digits that fit (ISO 7064, mod 97-10). */
export function isIban(account: string): boolean {
  const text = account.replaceAll(/[.-]/g, "");
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  if (text.length !== (IBAN_LENGTHS.get(text.slice(0, 2)) ?? text.length)) return false;
  let rest = 0;
  for (const char of text.slice(4) + text.slice(0, 4)) {
    const digits = /\d/.test(char) ? char : String(char.charCodeAt(0) - 55);
    for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
}

const digitsOf = (text: string): number[] => Array.from(text, Number);

/** VAT numbers whose check digits are cheap to compute, by country, on what stands behind its letters. */
const VAT_CHECKS: Readonly<Record<string, (number: string) => boolean>> = {
  DE: (number) => /^\d{9}$/.test(number) && isIso7064Mod11(digitsOf(number)),
  BE: (number) =>
    /^[01]?\d{9}$/.test(number) && 97 - (Number(number.slice(0, -2)) % 97) === Number(number.slice(-2)),
  FR: (number) =>
    /^[A-Z0-9]{2}\d{9}$/.test(number) &&
    (!/^\d{11}$/.test(number) ||
      (12 + 3 * (Number(number.slice(2)) % 97)) % 97 === Number(number.slice(0, 2))),
  IT: (number) => /^\d{11}$/.test(number) && isLuhn(digitsOf(number)),
};

/** Returns true where a VAT number could be one; null: of a country whose numbers are not checked here. */
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

function isLuhn(digits: readonly number[]): boolean {
  const sum = digits.toReversed().reduce((total, digit, index) => {
    const part = index % 2 === 0 ? digit : digit * 2;
    return total + (part > 9 ? part - 9 : part);
  }, 0);
  return sum % 10 === 0;
}
