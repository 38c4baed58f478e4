const ORDER =
  /\border(?: (?:number|no\.?|is))*[\s:#]*([A-Z]{0,5}-?\d{3,12})\b|\b([A-Z]{1,5}-\d{3,12})\b|#(\d{4,12})\b/gi;

/** Returns the numbers that a text marks as orders, in plain English. */
export function ordersIn(text: string): string[] {
  return [...text.matchAll(ORDER)].flatMap((found) => found.slice(1).find((one) => one !== undefined) ?? []);
}

export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).filter((one) => one.trim() !== "");
}
