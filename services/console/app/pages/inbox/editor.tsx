import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { completeFrom } from "./complete.ts";
import { childOf } from "./syntax.ts";

interface Issue {
  readonly path: string;
  readonly message: string;
}

export interface EditorProps {
  readonly label: string;
  /** What it begins with; later texts are not taken over. */
  readonly text: string;
  readonly schema: unknown;
  readonly issues: readonly Issue[];
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
}

const PARSE_MS_MAX = 200;

const THEME = EditorView.theme({
  "&": { fontSize: "12.5px", backgroundColor: "var(--card)", color: "var(--ink)", maxHeight: "60vh" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--page)", color: "var(--quiet)", border: "0" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--accent-soft)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--accent-soft)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    background: "var(--accent)",
    color: "var(--accent-ink)",
  },
  ".cm-lintRange-error": { background: "var(--bad-soft)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
});

/**
 * An editor of JSON that completes from a schema and marks what stands against the value. It lies in a shadow tree:
 * there the editor's styles are constructed sheets, which the page's policy allows.
 */
export function Editor({ label, text, schema, issues, onChange, onSend }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const latest = useRef({ onChange, onSend });
  useEffect(() => void (latest.current = { onChange, onSend }));
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const send = (): boolean => {
      latest.current.onSend();
      return true;
    };
    const leave = ({ contentDOM }: EditorView): boolean => {
      contentDOM.blur();
      return true;
    };
    const view = new EditorView({
      root,
      parent: root,
      doc: text,
      extensions: [
        keymap.of([{ key: "Mod-Enter", run: send }]),
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        json(),
        autocompletion({ icons: false, override: [completeFrom(schema)] }),
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
        keymap.of([{ key: "Escape", run: leave }]),
        EditorState.tabSize.of(2),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          "aria-label": label,
          tabindex: "0",
          "aria-describedby": "verdict",
          spellcheck: "false",
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
        THEME,
      ],
    });
    editor.current = view;
    view.focus();
    host.current.scrollIntoView({ block: "nearest" });
    return () => view.destroy();
    // It is made once: what is typed is its own.
  }, []);
  useEffect(() => {
    const view = editor.current;
    if (view === null) return;
    // What is wrong with the whole stands below it.
    const placed = issues.filter(({ path }) => path !== "");
    const diagnostics = placed.map(({ path, message }) => ({
      ...placeOf(view.state, path),
      severity: "error" as const,
      message: `${path} ${message}`,
    }));
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }, [issues]);
  return <div ref={host} />;
}

/** Where a place of the value stands. A missing member's is after the last one of what should hold it. */
function placeOf(state: EditorState, pointer: string): { readonly from: number; readonly to: number } {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS_MAX) ?? syntaxTree(state);
  let node = tree.topNode.firstChild;
  for (const step of pointer.split("/").slice(1)) {
    if (node === null) break;
    const next = childOf(state, node, step.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (next === null) {
      // Before the bracket that closes it.
      const last = node.lastChild?.prevSibling ?? node;
      return { from: last.to, to: last.to };
    }
    node = next;
  }
  return { from: node?.from ?? 0, to: node?.to ?? 0 };
}
