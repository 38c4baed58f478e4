/** A stretch of one day, in minutes since midnight. Holds its start and not its end. */
export function interval(start, end) {
  if (!Number.isInteger(start) || !Number.isInteger(end)) throw new TypeError("minutes are whole numbers");
  if (start < 0 || end > 24 * 60) throw new RangeError("an interval lies within one day");
  if (start >= end) throw new RangeError("an interval ends after it starts");
  return Object.freeze({ start, end });
}

export function lengthOf({ start, end }) {
  return end - start;
}

/** Whether two intervals have a minute in common. One that ends where the other starts has none. */
export function overlaps(a, b) {
  return a.start <= b.end && b.start < a.end;
}

/** Whether the first interval holds all of the second. */
export function contains(outer, inner) {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** `9:30` or `09:30` as minutes since midnight. */
export function parseTime(text) {
  const match = /^(\d{1,2}):(\d{2})$/.exec(text);
  if (match === null) throw new SyntaxError(`${text} is no time`);
  const [hours, minutes] = [Number(match[1]), Number(match[2])];
  if (hours > 24 || minutes > 59 || hours * 60 + minutes > 24 * 60) throw new RangeError(`${text} is no time of a day`);
  return hours * 60 + minutes;
}

export function formatTime(minutes) {
  const hours = Math.floor(minutes / 60);
  return `${String(hours).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
