import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { readJson, visible } from "#shared/json";
import { useAsked } from "./filters.tsx";
import type { Asked } from "./filters.tsx";
import { Button } from "./page.tsx";
import styles from "./parts.module.css";

const VIEWS_MAX = 20;
const PREFIX = "suture.views.";

/** Filters by the name that somebody gave them. */
type Views = Readonly<Record<string, Asked>>;

/** Returns the views that this browser keeps under a key. Anything else that was written there is left out. */
function readViews(key: string): Views {
  const kept = Object.entries(readJson(localStorage.getItem(key) ?? "") ?? {});
  return Object.fromEntries(kept.filter(([, asked]) => isAsked(asked)));
}

const isAsked = (value: unknown): value is Asked =>
  typeof value === "object" && Object.values(value ?? {}).every((text) => typeof text === "string");

/** Filters of a page that are kept in this browser under a name: saves those of the address, opens and deletes them. */
export function SavedViews({ of }: { readonly of: "runs" | "inbox" }) {
  const navigate = useNavigate();
  const [asked] = useAsked();
  const [views, setViews] = useState(() => readViews(PREFIX + of));
  const [problem, setProblem] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const names = Object.keys(views).toSorted();
  const keep = (next: Views): void => {
    box.current?.focus();
    if (Object.keys(next).length > VIEWS_MAX) return setProblem(`There are ${VIEWS_MAX}: delete one first.`);
    try {
      localStorage.setItem(PREFIX + of, JSON.stringify(next));
    } catch {
      return setProblem("This browser keeps nothing for this page: it is full, or told to keep nothing.");
    }
    setProblem("");
    setViews(next);
  };
  const save = (): void => {
    const name = box.current?.value.trim() ?? "";
    if (name !== "") keep({ ...views, [name]: asked });
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
      <form className={styles.buttons} action={save}>
        <input
          ref={box}
          className={styles.input}
          aria-label="Name of the view"
          placeholder="Name of the view"
          maxLength={60}
          required
        />
        <Button type="submit">Save this view</Button>
        <span role="status">{problem}</span>
      </form>
    </details>
  );
}
