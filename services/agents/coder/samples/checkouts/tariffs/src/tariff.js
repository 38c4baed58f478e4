/**
 * A tariff with steps: `{ upTo, centsPerUnit }`, ascending, the last without `upTo`. Each unit costs what the
 * step in which it lies says.
 */
export function costOf(units, steps) {
  // So far only tariffs with one step are in use.
  const [step] = steps;
  return units * step.centsPerUnit;
}

/** A month's bill: what was used, a fee for each day, and tax in percent. */
export function bill({ units, days, taxPercent }, { steps, centsPerDay }) {
  const net = costOf(units, steps) + days * centsPerDay;
  const tax = Math.round((net * taxPercent) / 100);
  return { net, tax, gross: net + tax };
}

/** The cheapest of several tariffs for a year of use, by months. */
export function cheapest(months, tariffs) {
  const costs = tariffs.map((tariff) => ({
    name: tariff.name,
    gross: months.reduce((sum, month) => sum + bill(month, tariff).gross, 0),
  }));
  return costs.toSorted((a, b) => a.gross - b.gross).at(0);
}
