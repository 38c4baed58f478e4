import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { pageCommands } from "../parts/commands.ts";
import type { Command } from "../parts/commands.ts";
import { useFound } from "./find.ts";
import { PAGES } from "./rail.tsx";
import styles from "./overlay.module.css";

export type Shown = "find" | "keys" | null;

type Show = (next: Shown) => void;

/** Over the page: finds what somebody types or pastes, or names a command (Ctrl K); or lists the keys (`?`). */
export function Overlay({ shown, show }: { readonly shown: Shown; readonly show: Show }) {
  return (
    <Dialog.Root open={shown !== null} onOpenChange={(isOpen) => show(isOpen ? shown : null)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label={shown === "keys" ? "Keys" : "Find or do"}>
          {shown === "keys" ? <KeyList /> : <Finder show={show} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Finder({ show }: { readonly show: Show }) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const [typed, setTyped] = useState("");
  const text = typed.trim();
  const { found, isAsking } = useFound(text);
  const places = found.map(({ name, to }) => ({
    name,
    run: () => history.push(import.meta.env.BASE_URL + to),
  }));
  const named = [
    ...pageCommands(),
    ...PAGES.map(({ to, name }) => ({ name: `Go to ${name}`, run: () => void navigate({ to }) })),
    { name: "Show all keys", run: () => show("keys") },
  ].filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  const search = {
    name: `Search cases for “${text}”`,
    run: () => void navigate({ to: "/inbox", search: { text } }),
  };
  const items: readonly Command[] = [...places, ...named, ...(text === "" ? [] : [search])];
  const carryOut = (command: Command): void => {
    show(null);
    command.run();
  };
  return (
    <Autocomplete.Root
      inline
      open
      mode="none"
      items={items}
      autoHighlight="always"
      value={typed}
      onValueChange={(next, { reason }) => reason === "input-change" && setTyped(next)}
      itemToStringValue={({ name }: Command) => name}
    >
      <Autocomplete.Input
        className={styles.input}
        aria-label="Find an id, an order, a customer, or a command"
        placeholder="Paste an id, an order, a customer, or name a page"
      />
      <Autocomplete.List className={styles.list} aria-label="Found" aria-busy={isAsking}>
        {items.map((item) => (
          <Autocomplete.Item key={item.name} value={item} disabled={isAsking} onClick={() => carryOut(item)}>
            {item.name}
          </Autocomplete.Item>
        ))}
      </Autocomplete.List>
      <Autocomplete.Status className={styles.foot}>
        {isAsking ? "Looking …" : "↑ ↓ choose, Enter goes there"}
      </Autocomplete.Status>
    </Autocomplete.Root>
  );
}

const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Everywhere: {
    "Ctrl K": "find an id, a case, a page or a command",
    "/": "find on this page",
    "?": "these keys",
    Esc: "close, or go out of a field",
  },
  "Go to a page": Object.fromEntries(PAGES.map(({ key, name }) => [`g ${key}`, name])),
  Inbox: {
    "j k": "next and previous",
    c: "first case of the group",
    e: "repair by hand",
    a: "approve a repair; acknowledge a group",
    r: "release as it is; call a group resolved",
    o: "have it repaired anew; the whole group",
    x: "discard",
    "Ctrl Enter": "send what is written",
  },
};

function KeyList() {
  return (
    <div className={styles.keys}>
      {Object.entries(KEYS).map(([where, keys]) => (
        <dl key={where}>
          <dt>{where}</dt>
          {Object.entries(keys).map(([key, does]) => (
            <dd key={key}>
              <kbd>{key}</kbd> {does}
            </dd>
          ))}
        </dl>
      ))}
    </div>
  );
}
