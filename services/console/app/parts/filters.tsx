import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useCommands } from "./commands.ts";
import styles from "./parts.module.css";

const TYPED_MS = 250;

/** What the address asks for, and a way to change it. Nothing is added to the history of the browser. */
export function useAsked(): [
  Readonly<Record<string, string | undefined>>,
  (change: Readonly<Record<string, string | undefined>>) => void,
] {
  const asked = useSearch({ strict: false });
  const navigate = useNavigate();
  return [
    asked,
    (change) => void navigate({ to: ".", search: (before) => ({ ...before, ...change }), replace: true }),
  ];
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
  /** What stands for no choice. */
  readonly none?: string;
  /** What the address no longer says after a choice, as the place in a list. */
  readonly drops?: string;
}

/** One of a few values of the address. */
export function Choice({ name, label, options, none = "all", drops }: ChoiceProps) {
  const [asked, ask] = useAsked();
  return (
    <label className={styles.filter}>
      <span>{label}</span>
      <select
        value={asked[name] ?? ""}
        onChange={({ target }) =>
          ask({ ...(drops !== undefined && { [drops]: undefined }), [name]: target.value })
        }
      >
        <option value="">{none}</option>
        {options.map((one) => (
          <option key={one} value={one}>
            {one.replaceAll("_", " ")}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A text of the address, taken over when somebody stops typing. */
export function SearchBox({ name, label }: { readonly name: string; readonly label: string }) {
  const [asked, ask] = useAsked();
  const given = asked[name] ?? "";
  const [typed, setTyped] = useState(given);
  useEffect(() => setTyped(given), [given]);
  useEffect(() => {
    if (typed.trim() === given) return;
    const timer = setTimeout(() => ask({ [name]: typed.trim() }), TYPED_MS);
    return () => clearTimeout(timer);
  });
  const box = useRef<HTMLInputElement>(null);
  useCommands([{ name: label, key: "/", run: () => box.current?.focus() }]);
  return (
    <input
      ref={box}
      type="search"
      className={styles.search}
      aria-label={label}
      placeholder={`${label}  ( / )`}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      // Esc gives the keys back to the page.
      onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
    />
  );
}
