/** Takes at most `max` at even steps, so that a few are as varied as all. */
export function takeEvenly<One>(all: readonly One[], max = Infinity): One[] {
  const step = Math.max(1, all.length / max);
  return all.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}
