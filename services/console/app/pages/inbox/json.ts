import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { escapeHidden } from "../../parts/visible.ts";

const PARSE_MS_MAX = 200;
const BETWEEN = new Set<string | undefined>(["{", "}", "[", "]", ",", ":", undefined]);

/** Returns JSON text without the space around its marks. Nothing is parsed: what is wrong in it stays. */
export function compact(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[ \t\r\n]+/g, (part, at: number) =>
    part[0] !== '"' && (BETWEEN.has(text[at - 1]) || BETWEEN.has(text[at + part.length])) ? "" : part,
  );
}

/** Returns JSON text for people to edit: indented, digits as written, what cannot be seen escaped; else the text. */
export function indent(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const broken = (): string => `\n${"  ".repeat(depth)}`;
  const lines = compact(text).replaceAll(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (mark) => {
    if (mark === ":") return ": ";
    if (mark === ",") return mark + broken();
    if (mark === "{" || mark === "[") depth += 1;
    else if (mark === "}" || mark === "]") depth -= 1;
    else return mark;
    return mark === "{" || mark === "[" ? mark + broken() : broken() + mark;
  });
  return escapeHidden(lines);
}

export type SyntaxNode = ReturnType<typeof syntaxTree>["topNode"];

/** A value of JSON text, by its JSON pointer. */
export interface Place {
  readonly pointer: string;
  readonly node: SyntaxNode;
  /** Where its name begins, or the value itself. */
  readonly from: number;
}

/** Returns the name of a property as it is written. */
export function nameOf(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild("PropertyName");
  return name === null ? "" : state.sliceDoc(name.from + 1, name.to - 1);
}

/** Returns all values of JSON text; each before those that it holds. */
export function placesOf(state: EditorState): readonly Place[] {
  const places: Place[] = [];
  const add = (node: SyntaxNode | null, pointer: string, from: number): void => {
    if (node === null) return;
    places.push({ pointer, node, from });
    let index = 0;
    for (let child = node.firstChild; child !== null; child = child.nextSibling)
      if (child.name === "Property") {
        const name = nameOf(state, child).replaceAll("~", "~0").replaceAll("/", "~1");
        add(child.lastChild, `${pointer}/${name}`, child.from);
      } else if (node.name === "Array" && !["[", "]", ",", "⚠"].includes(child.name)) {
        add(child, `${pointer}/${index}`, child.from);
        index += 1;
      }
  };
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS_MAX) ?? syntaxTree(state);
  add(tree.topNode.firstChild, "", 0);
  return places;
}
