import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../data/api.ts";
import { commandsNow } from "../parts/commands.ts";
import type { Command } from "../parts/commands.ts";
import { words } from "../parts/text.ts";
import styles from "./overlay.module.css";

export type Shown = "find" | "keys" | null;

interface OverlayProps {
  readonly shown: Shown;
  readonly show: (next: Shown) => void;
}

/** Over the page: finds what somebody types or pastes, or names a command (Ctrl K); or lists the keys (`?`). */
export function Overlay({ shown, show }: OverlayProps) {
  return (
    <Dialog.Root open={shown !== null} onOpenChange={(isOpen) => show(isOpen ? shown : null)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label={shown === "keys" ? "Keys" : "Find or do"}>
          {shown === "keys" ? <KeyList /> : <Finder onChosen={() => show(null)} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const TYPED_MS = 200;
const CHARS_MIN = 3;
const FOUND_MAX = 8;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const PLACES = { run: "runs/", case: "inbox/case/", recipe: "recipes/", group: "inbox/group/" } as const;
type Kind = keyof typeof PLACES;

/** Something that was found, and its address below the base. */
const foundAs = (kind: Kind, id: string, name: string, state = "") => ({
  name: `${kind} ${name}, ${words(state)}`,
  to: PLACES[kind] + encodeURIComponent(id),
});

/** Returns the recipe, the group or the job that a pasted text is the id of, if it looks like one. */
async function findNamed(text: string) {
  if (UUID.test(text)) {
    const { data } = await api.GET("/v1/recipes/{recipe_id}", { params: { path: { recipe_id: text } } });
    return foundAs("recipe", text, text, data?.state);
  }
  if (!/^(?:bullmq:.+|[\w.-]+\/[\w.*@-]+\/.+)$/.test(text)) throw new Error("looks like no id");
  const path = { fingerprint: text };
  const { data } = await api.GET("/v1/ward/groups/{fingerprint}", { params: { path } });
  return foundAs("group", text, text, data?.attention);
}

/** Returns the runs and cases that hold these words, and what else has this id. */
async function find(text: string) {
  const { data } = await api.GET("/v1/search", { params: { query: { text, limit: FOUND_MAX } } });
  const found = (data?.found ?? []).map(({ kind, id, team, status }) =>
    foundAs(kind, id, `${id.slice(-8)} of ${team}`, status),
  );
  if (found.length > 0) return found;
  // Rejects where nothing is named so.
  return findNamed(text).then(
    (named) => [named],
    () => [],
  );
}

function Finder({ onChosen }: { readonly onChosen: () => void }) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const [typed, setTyped] = useState("");
  const text = typed.trim();
  // `isAsking`: there may be more.
  const { data: found = [], isFetching: isAsking } = useQuery({
    queryKey: ["find", text],
    queryFn: async ({ signal }) => {
      // Nothing is asked for a text that somebody goes on typing.
      await new Promise((resolve) => setTimeout(resolve, TYPED_MS));
      return signal.aborted ? [] : find(text);
    },
    enabled: text.length >= CHARS_MIN,
  });
  const search = {
    name: `Search cases for “${text}”`,
    run: () => void navigate({ to: "/inbox", search: { text } }),
  };
  const items: readonly Command[] = [
    ...found.map(({ name, to }) => ({ name, run: () => history.push(import.meta.env.BASE_URL + to) })),
    ...commandsNow().filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
    ...(text === "" ? [] : [search]),
  ];
  const carryOut = (command: Command): void => {
    onChosen();
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
            {item.name} {item.key !== undefined && <kbd>{item.key}</kbd>}
          </Autocomplete.Item>
        ))}
      </Autocomplete.List>
      <Autocomplete.Status className={styles.foot}>
        {isAsking ? "Looking …" : "↑ ↓ choose, Enter goes there"}
      </Autocomplete.Status>
    </Autocomplete.Root>
  );
}

const IN_FORMS = [
  { key: "Ctrl Enter", name: "Send what is written" },
  { key: "Esc", name: "Close, or go out of a field" },
];

/** Keys of the page below it, and of all pages. */
function KeyList() {
  return (
    <ul className={styles.keys}>
      {[...commandsNow(), ...IN_FORMS].map(({ key, name }) => (
        <li key={name} hidden={key === undefined}>
          <kbd>{key}</kbd> {name}
        </li>
      ))}
    </ul>
  );
}
