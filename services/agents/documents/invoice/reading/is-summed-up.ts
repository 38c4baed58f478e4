import type { InvoiceFacts } from "./reading.ts";
import { amountsIn, styleOf } from "./amounts-in-line.ts";
import { linesOf } from "./read-facts.ts";

const CENTS = 100;
const cents = (amount: number): number => Math.round(amount * CENTS);

/** Returns true where a total is the sum of net and tax, or of the last amounts of the lines above it. */
export function isSummedUp(pages: readonly string[], { net, tax, gross }: InvoiceFacts): boolean {
  if (gross.value === null || gross.line === null) return false;
  if (net.value !== null && tax.value !== null)
    return cents(net.value) + cents(tax.value) === cents(gross.value);
  const lines = linesOf(pages);
  const style = styleOf(lines.map(({ text }) => text).join("\n"));
  const at = lines.findIndex(({ quote, page }) => quote === gross.line?.quote && page === gross.line.page);
  const amounts = lines.slice(0, at).flatMap(({ text }) => {
    const last = amountsIn(text, style)
      .filter(({ isMoney }) => isMoney)
      .at(-1);
    return last === undefined ? [] : [last.value];
  });
  if (amounts.length === 0 || amounts.includes(null)) return false;
  return amounts.reduce<number>((sum, amount) => sum + cents(amount ?? 0), 0) === cents(gross.value);
}
