import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useSettled } from "../data/shared.ts";
import { useCommands } from "./commands.ts";
import styles from "./parts.module.css";

/** Search parameters of the address: texts by name, so that filters survive a reload and can be sent on. */
export type Asked = Readonly<Record<string, string | undefined>>;

/** Returns the search parameters of the address, and a function that changes some. A change is no step back. */
export function useAsked(): [Asked, (change: Asked) => void] {
  const navigate = useNavigate();
  const ask = (change: Asked): void =>
    void navigate({ to: ".", search: (before) => ({ ...before, ...change }), replace: true });
  return [useSearch({ strict: false }), ask];
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
  /** Name of no choice. Default: "all". */
  readonly none?: string;
}

/** One of a few values of the address. */
export function Choice({ name, label, options, none = "all" }: ChoiceProps) {
  const [asked, ask] = useAsked();
  return (
    <label className={styles.filter}>
      <span>{label}</span>
      <select value={asked[name] ?? ""} onChange={({ target }) => ask({ [name]: target.value })}>
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

/** The text of the address, taken over when somebody stops typing. */
export function SearchBox({ label }: { readonly label: string }) {
  const [{ text: given = "" }, ask] = useAsked();
  const [typed, setTyped] = useState(given);
  useEffect(() => setTyped(given), [given]);
  const settled = useSettled(typed.trim());
  useEffect(() => void (settled !== given && ask({ text: settled })), [settled]);
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
