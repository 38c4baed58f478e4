/** Hues by the degree at which they end. */
const HUES: readonly (readonly [number, string])[] = [
  [15, "red"],
  [45, "orange"],
  [70, "yellow"],
  [165, "green"],
  [200, "cyan"],
  [260, "blue"],
  [320, "purple"],
  [345, "pink"],
  [360, "red"],
];

const GREY_CHROMA = 28;
const BLACK_BELOW = 50;
const WHITE_FROM = 215;
const BROWN_BELOW = 150;

/** The usual name of a colour. Channels from 0 to 255. */
export function nameColour(colour: {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}): string {
  const { red, green, blue } = colour;
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  if (most < BLACK_BELOW) return "black";
  if (chroma < GREY_CHROMA) return most >= WHITE_FROM ? "white" : "grey";
  const hue = hueOf({ red, green, blue, most, chroma });
  const name = HUES.find(([end]) => hue < end)?.[1] ?? "red";
  return name === "orange" && most < BROWN_BELOW ? "brown" : name;
}

function hueOf(colour: {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly most: number;
  readonly chroma: number;
}): number {
  const { red, green, blue, most, chroma } = colour;
  if (most === red) return (((green - blue) / chroma) * 60 + 360) % 360;
  if (most === green) return ((blue - red) / chroma) * 60 + 120;
  return ((red - green) / chroma) * 60 + 240;
}
