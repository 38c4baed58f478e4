/** Strips emphasis, quotes and the colon from a name. Longer texts are no names. */
export function plainName(name: string): string {
  if (name.length > 200) return name;
  return name
    .trim()
    .replaceAll(/^[*_"'`]+|[*_"'`:]+$/g, "")
    .trim();
}
