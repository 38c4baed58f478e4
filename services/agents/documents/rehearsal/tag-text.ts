import type { Tag } from "../contract-fields.ts";
import { tagsOfType } from "../recognise/decide-type.ts";
import { recogniseText } from "../recognise/recognise-text.ts";

/** Tags a text by its headings and its structure; `unclear` where these do not tell. Pure. */
export function tagText(
  text: string,
  pages: number,
  isPicture: boolean,
): { readonly tags: readonly Tag[]; readonly description: string } {
  const { type } = recogniseText(text.split("\f"));
  const tags = tagsOfType(type, isPicture ? ["scan"] : []);
  const title = text.split("\n").find((line) => /\p{L}{3}/u.test(line)) ?? "";
  const length = pages === 1 ? "one page" : `${pages} pages`;
  return { tags, description: `${tags.join(", ")}, ${length}. It begins: “${title.trim().slice(0, 120)}”.` };
}
