/**
 * The names that are nearest to one that is not there: letters mistaken, left out, swapped or added, other
 * capitals, another ending. Nearest first; none that has little in common with it.
 */
export function nearNames(name: string, among: Iterable<string>, most = 3): string[] {
  const ranked = [...new Set(among)]
    .filter((other) => other !== name)
    .map((other) => ({ other, distance: distanceOf(name, other) }))
    .filter(
      ({ other, distance }) => distance <= Math.max(1, Math.ceil(Math.max(name.length, other.length) * 0.45)),
    )
    .toSorted((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1));
  return ranked.slice(0, most).map(({ other }) => other);
}

/** Changes between two names; capitals count little, and so does a name within the other. */
function distanceOf(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  if (left === right) return 0.5;
  const letters = editDistance(left, right);
  const isWithin = left.length > 2 && right.length > 2 && (left.includes(right) || right.includes(left));
  return isWithin ? Math.min(letters, 2) : letters;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  if (a.length > 64 || b.length > 64) return Infinity;
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (rows[i - 1]?.[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, (rows[i - 1]?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? Infinity;
}
