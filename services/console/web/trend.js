const BAR = 3;
const HEIGHT = 16;
const SVG = "http://www.w3.org/2000/svg";

/**
 * Counts as bars, oldest first; with `part`, the share of each that is bad.
 *
 * @param {number[]} counts
 * @param {{ label: string, part?: number[] }} about What it says to who cannot see it.
 */
export function trendLine(counts, { label, part = [] }) {
  const most = Math.max(1, ...counts);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${counts.length * BAR} ${HEIGHT}`);
  svg.setAttribute("width", String(counts.length * BAR));
  svg.setAttribute("class", "trend");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  for (const [index, count] of counts.entries()) {
    svg.append(bar(index, Math.max(1, (count / most) * HEIGHT), "all"));
    if ((part[index] ?? 0) > 0) svg.append(bar(index, Math.max(2, (part[index] / most) * HEIGHT), "part"));
  }
  return svg;
}

function bar(index, height, kind) {
  const rect = document.createElementNS(SVG, "rect");
  const about = { x: index * BAR, y: HEIGHT - height, width: BAR - 1, height, class: kind };
  for (const [name, value] of Object.entries(about)) rect.setAttribute(name, String(value));
  return rect;
}
