import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { SubmitEvent } from "react";
import { useAsked } from "./filters.tsx";
import type { Asked } from "./filters.tsx";
import { Button } from "./page.tsx";
import { visible } from "./text.ts";
import styles from "./parts.module.css";

const VIEWS_MAX = 20;
const CHARS_MAX = 60;
const PREFIX = "suture.views.";

/** Filters by the name that somebody gave them. */
type Views = Readonly<Record<string, Asked>>;

/** Returns the views that this browser keeps under a key. Whatever else was written there is left out. */
function readViews(key: string): Views {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    const views = Object.entries(kept ?? {}).filter(
      ([name, asked]) => name.length <= CHARS_MAX && isAsked(asked),
    );
    return Object.fromEntries(views.slice(0, VIEWS_MAX));
  } catch {
    return {};
  }
}

function isAsked(value: unknown): value is Asked {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

/** Filters of a page that are kept in this browser under a name: saves those of the address, opens and deletes them. */
export function SavedViews({ of }: { readonly of: "runs" | "inbox" }) {
  const navigate = useNavigate();
  const [{ cursor: _, ...asked }] = useAsked();
  const [views, setViews] = useState(() => readViews(PREFIX + of));
  const box = useRef<HTMLInputElement>(null);
  const names = Object.keys(views).toSorted();
  const keep = (next: Views): void => {
    localStorage.setItem(PREFIX + of, JSON.stringify(next));
    setViews(next);
    box.current?.focus();
  };
  const save = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = box.current?.value.trim() ?? "";
    if (name !== "") keep({ ...views, [name]: asked });
    event.currentTarget.reset();
  };
  return (
    <details className={styles.views}>
      <summary>Saved views ({names.length})</summary>
      <ul>
        {names.map((name) => (
          <li key={name} className={styles.buttons}>
            <Button onClick={() => void navigate({ to: ".", search: views[name] ?? {} })}>
              {visible(name)}
            </Button>
            <Button
              aria-label={`Delete the view ${name}`}
              onClick={() => keep(Object.fromEntries(Object.entries(views).filter(([one]) => one !== name)))}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      <form className={styles.buttons} onSubmit={save}>
        <input
          ref={box}
          className={styles.input}
          aria-label="Name of the view"
          placeholder="Name of the view"
          maxLength={CHARS_MAX}
          required
        />
        <Button type="submit" disabled={names.length >= VIEWS_MAX}>
          Save this view
        </Button>
      </form>
    </details>
  );
}
