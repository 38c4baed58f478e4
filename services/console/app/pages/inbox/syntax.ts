import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

export type SyntaxNode = ReturnType<typeof syntaxTree>["topNode"];

/** Returns the name of a property as it is meant. */
export function nameOf(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild("PropertyName");
  const text = name === null ? '""' : state.sliceDoc(name.from, name.to);
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Values of a list. */
function itemsOf(list: SyntaxNode): SyntaxNode[] {
  const items: SyntaxNode[] = [];
  for (let item = list.firstChild; item !== null; item = item.nextSibling)
    if (!["[", "]", ",", "⚠"].includes(item.name)) items.push(item);
  return items;
}

/** Returns the member or the item of a value; null where there is none. */
export function childOf(state: EditorState, node: SyntaxNode, step: string): SyntaxNode | null {
  if (node.name === "Array") return itemsOf(node)[Number(step)] ?? null;
  const property = node.getChildren("Property").find((one) => nameOf(state, one) === step);
  return property?.lastChild ?? null;
}

/** Returns the nearest object or list that holds a position, and the steps that lead to it. */
export function holderOf(
  state: EditorState,
  position: number,
): { readonly node: SyntaxNode; readonly steps: readonly string[] } | null {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(position, -1);
  // At its own opening bracket a position is before it.
  while (node !== null && node.name !== "Object" && node.name !== "Array") node = node.parent;
  if (node === null) return null;
  const holder = node;
  const steps: string[] = [];
  for (let at: SyntaxNode = holder; at.parent !== null; at = at.parent) {
    if (at.parent.name === "Property") steps.unshift(nameOf(state, at.parent));
    if (at.parent.name === "Array") {
      const { from } = at;
      steps.unshift(String(itemsOf(at.parent).findIndex((item) => item.from === from)));
    }
  }
  return { node: holder, steps };
}
