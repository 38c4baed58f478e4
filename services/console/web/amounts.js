const COUNT = new Intl.NumberFormat();
const MONEY = { cents: 2, small: 4 };

/** A count with its thousands apart, as the reader writes them. */
export const count = (number) => COUNT.format(number);

/** A count with its word: "1 case", "2,000 cases". */
export const counted = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;

/** USD. Less than a cent is shown, not rounded away. */
export function usd(amount) {
  const isSmall = amount !== 0 && Math.abs(amount) < 0.01;
  return `$${amount.toFixed(isSmall ? MONEY.small : MONEY.cents)}`;
}

/** A share of 0 to 1. Not 0 % while there is some, nor 100 % while some is missing. */
export function percent(share) {
  const rounded = Math.round(share * 1000) / 10;
  if (rounded === 0 && share > 0) return "under 0.1 %";
  if (rounded === 100 && share < 1) return "over 99.9 %";
  return `${rounded} %`;
}
