import { autocompletion, closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { MergeView } from "@codemirror/merge";
import { Compartment } from "@codemirror/state";
import type { EditorState, Extension, Range } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip, keymap } from "@codemirror/view";
import { showPanel, showTooltip, WidgetType } from "@codemirror/view";
import type { DecorationSet, Tooltip } from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { RefObject } from "react";
import { visible } from "#shared/json";
import { sendForm } from "./reason-form.tsx";
import { completeFrom, placesOf } from "./json.ts";
import type { Place } from "./json.ts";
import theme from "./json-view.css?inline";

/** Something that is wrong at a place. */
interface Mark {
  readonly path: string;
  readonly message: string;
}

/** A text that is shown, or edited. */
export interface Side {
  readonly label: string;
  readonly text: string;
  readonly marks: readonly Mark[];
  /** Origins of values by their places: shown on hover, and at the cursor. */
  readonly origins?: ReadonlyMap<string, string>;
  /** Present: the text can be edited. */
  readonly edit?: { readonly schema: unknown; readonly onText: (text: string) => void };
}

const marking = new Compartment();

/**
 * One JSON text, or two side by side with what differs, each with marks at their places. It lies in a shadow tree:
 * there CodeMirror's styles are constructed sheets, which the page's policy allows. It is made anew by another `key`.
 */
export function JsonView({ left, right = null }: { readonly left: Side; readonly right?: Side | null }) {
  const host = useRef<HTMLDivElement>(null);
  const views = useRef<readonly EditorView[]>([]);
  const edit = useRef(right?.edit);
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(theme);
    root.adoptedStyleSheets.push(sheet);
    const config = (side: Side) => ({ doc: side.text, extensions: extensionsOf(side, edit) });
    const folds = edit.current === undefined ? { collapseUnchanged: { margin: 3, minSize: 12 } } : {};
    const shown =
      right === null
        ? new EditorView({ ...config(left), root, parent: root })
        : new MergeView({ a: config(left), b: config(right), root, parent: root, gutter: false, ...folds });
    views.current = shown instanceof MergeView ? [shown.a, shown.b] : [shown];
    if (edit.current !== undefined) views.current[1]?.focus();
    return () => shown.destroy();
  }, []);
  useEffect(() => void (edit.current = right?.edit));
  useEffect(() => {
    for (const [at, view] of views.current.entries()) {
      const { text, marks } = right !== null && at === 1 ? right : left;
      const changes = { from: 0, to: view.state.doc.length, insert: text };
      if (text !== view.state.doc.toString()) view.dispatch({ changes });
      const marked = EditorView.decorations.compute(["doc"], (state) => decorate(state, marks));
      view.dispatch({ effects: marking.reconfigure(marked) });
    }
  }, [left.text, right?.text, JSON.stringify([left.marks, right?.marks])]);
  return <div ref={host} />;
}

function extensionsOf({ label, edit, origins = new Map() }: Side, now: RefObject<Side["edit"]>): Extension {
  const shown = [
    json(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false" }),
    showPanel.of(() => ({ dom: element("title", label), top: true })),
    marking.of([]),
  ];
  if (edit === undefined)
    return [
      shown,
      EditorView.editable.of(false),
      keymap.of(defaultKeymap),
      hoverTooltip(({ state }, at) => originAt(state, at, origins)),
      showTooltip.compute(["selection"], (state) => originAt(state, state.selection.main.head, origins)),
    ];
  return [
    shown,
    keymap.of([{ key: "Mod-Enter", run: sendForm }]),
    history(),
    closeBrackets(),
    autocompletion({ icons: false, override: [completeFrom(edit.schema)] }),
    keymap.of([...historyKeymap, ...defaultKeymap]),
    keymap.of([{ key: "Escape", run: ({ contentDOM }) => contentDOM.blur() === undefined }]),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) now.current?.onText(state.doc.toString());
    }),
  ];
}

const element = (className: string, text: string): HTMLElement =>
  Object.assign(document.createElement("span"), { className, textContent: visible(text) });

function originAt(state: EditorState, at: number, origins: ReadonlyMap<string, string>): Tooltip | null {
  const place = placesOf(state).findLast(({ from, node }) => from <= at && at <= node.to);
  const origin = origins.get(place?.pointer ?? "");
  if (place === undefined || origin === undefined || at === 0) return null;
  return { pos: place.from, end: place.node.to, create: () => ({ dom: element("origin", origin) }) };
}

/** Words behind a line, or in a line of their own. */
class Note extends WidgetType {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override toDOM(): HTMLElement {
    return element("note", this.text);
  }
}

/** Says behind a line what is wrong there; what is missing has a line behind the last member of what should hold it. */
function decorate(state: EditorState, marks: readonly Mark[]): DecorationSet {
  const places = new Map(placesOf(state).map((place) => [place.pointer, place]));
  const decorations = [...Map.groupBy(marks, ({ path }) => path)].flatMap(([path, said]) => {
    const place = places.get(path);
    if (place === undefined) return missing(state, places, path);
    const line = state.doc.lineAt(place.from);
    const text = [...new Set(said.map(({ message }) => message))].slice(0, 3).join("; ");
    const note = Decoration.widget({ widget: new Note(text), side: 1 });
    return [Decoration.line({ class: "wrong" }).range(line.from), note.range(line.to)];
  });
  return Decoration.set(decorations, true);
}

function missing(state: EditorState, places: ReadonlyMap<string, Place>, path: string): Range<Decoration>[] {
  let pointer = path;
  while (pointer !== "" && !places.has(pointer)) pointer = pointer.slice(0, pointer.lastIndexOf("/"));
  const holder = places.get(pointer)?.node;
  if (holder === undefined) return [];
  const name = JSON.stringify(path.slice(pointer.length + 1));
  const widget = new Note(`${"  ".repeat(pointer.split("/").length)}${name}: missing`);
  const line = state.doc.lineAt(holder.lastChild?.prevSibling?.to ?? holder.to);
  return [Decoration.widget({ widget, side: 1, block: true }).range(line.to)];
}
