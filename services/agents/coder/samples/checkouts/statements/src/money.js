/** Cents as people write them: two decimals, thousands apart, the sign in front. */
export function formatCents(cents, { separator = ",", decimal = "." } = {}) {
  const sign = cents < 0 ? "-" : "";
  const whole = String(Math.floor(Math.abs(cents) / 100));
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, separator);
  return `${sign}${grouped}${decimal}${String(Math.abs(cents) % 100).padStart(2, "0")}`;
}

/** `1,234.50` as cents. */
export function parseCents(text) {
  const match = /^(-?)([\d,]+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (match === null) throw new SyntaxError(`${text} is no amount`);
  const cents = Number(match[2].replaceAll(",", "")) * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  return match[1] === "-" ? -cents : cents;
}
