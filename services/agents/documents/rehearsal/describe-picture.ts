import type { Tag } from "../contract-fields.ts";
import type { PictureMeasures } from "../reading/reading.ts";

/** Shares from which a picture is one of a written page: mostly paper, some ink, and next to nothing else. */
const PAGE = { paperLeast: 0.6, paperAndInkLeast: 0.85, coloursMost: 40, linesLeast: 3 };
const DARK_BELOW = 0.3;
const BRIGHT_FROM = 0.65;
const COLOURLESS: ReadonlySet<string> = new Set(["black", "white", "grey"]);
const MONOCHROME_SHARE = 0.97;
const SQUARE_WITHIN = 0.05;
/** A drawing has few colours, each of which covers much. */
const DRAWING_COLOURS_MAX = 12;

/** What a picture is and shows, as far as that can be measured. Pure. */
export function describePicture(measures: PictureMeasures): {
  readonly tags: readonly Tag[];
  readonly description: string;
} {
  const isPage = isWrittenPage(measures);
  const tags: Tag[] = [isPage ? "scan" : "photo", ...formatOf(measures), ...lightOf(measures)];
  if (!isPage && measures.brightness >= DARK_BELOW && measures.colours <= DRAWING_COLOURS_MAX)
    tags.push("drawing");
  if (colourless(measures) >= MONOCHROME_SHARE) tags.push("monochrome");
  else if (!isPage && measures.dominant.length > 1) tags.push("colourful");
  return { tags, description: describe(measures, isPage) };
}

function isWrittenPage({ paper_share: paper, ink_share: ink, colours, lines }: PictureMeasures): boolean {
  return (
    paper >= PAGE.paperLeast &&
    paper + ink >= PAGE.paperAndInkLeast &&
    colours <= PAGE.coloursMost &&
    lines >= PAGE.linesLeast
  );
}

function formatOf({ width, height }: PictureMeasures): Tag[] {
  if (Math.abs(width / height - 1) < SQUARE_WITHIN) return [];
  return [width > height ? "landscape_format" : "portrait_format"];
}

function lightOf({ brightness }: PictureMeasures): Tag[] {
  if (brightness < DARK_BELOW) return ["dark"];
  return brightness > BRIGHT_FROM ? ["bright"] : [];
}

/** Of the named shares; what is not among the strongest three is not counted. */
function colourless({ dominant }: PictureMeasures): number {
  return dominant.reduce((sum, { name, share }) => sum + (COLOURLESS.has(name) ? share : 0), 0);
}

function describe(measures: PictureMeasures, isPage: boolean): string {
  const { width, height, brightness, contrast, dominant, lines } = measures;
  const format = formatOf(measures)[0]?.split("_", 1)[0] ?? "square";
  const light = brightness < DARK_BELOW ? "dark" : brightness > BRIGHT_FROM ? "bright" : "of medium light";
  const colours = dominant.map(({ name, share }) => `${name} (${Math.round(share * 100)} %)`).join(", ");
  const subject = isPage
    ? `A written page with about ${lines} lines of writing.`
    : `A picture in ${format} format, ${width} by ${height} pixels.`;
  const strength = contrast > 0.5 ? "strong" : contrast > 0.25 ? "moderate" : "little";
  return `${subject} It is ${light}, with ${strength} contrast. Main colours: ${colours}.`;
}
