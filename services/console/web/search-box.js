import { h } from "./dom.js";

/** The wait before what is typed is looked for, in ms. */
const TYPING_MS = 200;

/** A field to find by, which tells what stands in it once nobody types. */
export function searchBox({ placeholder, text, onFind }) {
  const box = h("input", { type: "search", placeholder });
  box.value = text;
  let timer;
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void onFind(box.value.trim()), TYPING_MS);
  });
  return box;
}
