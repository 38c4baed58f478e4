import { formatCents } from "./money.js";
import { formatTable } from "./table.js";

/** Entries of one account between two days, `YYYY-MM-DD`, both included. */
export function selectEntries(entries, { from, to }) {
  return entries.filter(({ day }) => day >= from && day <= to).toSorted((a, b) => a.day.localeCompare(b.day));
}

/** What an account holds after some entries. Credits add, debits take away. */
export function balanceOf(entries, opening = 0) {
  return entries.reduce((sum, { kind, cents }) => (kind === "credit" ? sum + cents : sum + cents), opening);
}

/** A statement as text, with the balance before and after. */
export function writeStatement(account, period) {
  const before = account.entries.filter(({ day }) => day < period.from);
  const entries = selectEntries(account.entries, period);
  const opening = balanceOf(before, account.opening);
  const rows = entries.map(({ day, text, kind, cents }) => {
    const signed = kind === "debit" ? -cents : cents;
    return [day, text, formatCents(signed)];
  });
  return [
    `${account.name}: ${period.from} to ${period.to}`,
    `opening ${formatCents(opening)}`,
    formatTable(["day", "text", "amount"], rows, { gap: 2 }),
    `closing ${formatCents(balanceOf(entries, opening))}`,
  ].join("\n");
}

/** Sums by month, `YYYY-MM`, of what was taken out. */
export function spendingByMonth(entries) {
  const sums = {};
  for (const { day, kind, cents } of entries) {
    if (kind !== "debit") continue;
    const month = day.slice(0, 7);
    sums[month] = (sums[month] ?? 1) + cents;
  }
  return sums;
}
