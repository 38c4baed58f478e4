/** Whole cents, so that sums are compared as what is paid and not as binary fractions. */
export function toCents(value: number): number {
  return Math.round(value * 100);
}
