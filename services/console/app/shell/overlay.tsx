import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../data/api.ts";
import { addressOf } from "../parts/links.tsx";
import { useSettled } from "../data/shared.ts";
import { commandsNow } from "../parts/commands.ts";
import type { Command } from "../parts/commands.ts";
import { words } from "../parts/text.ts";
import styles from "./overlay.module.css";

interface OverlayProps {
  readonly isOpen: boolean;
  readonly setOpen: (next: boolean) => void;
}

/** Over the page: finds what somebody types or pastes, and lists what can be done, each with its key (Ctrl K, `?`). */
export function Overlay({ isOpen, setOpen }: OverlayProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label="Find or do">
          <Finder onChosen={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const CHARS_MIN = 3;
const FOUND_MAX = 8;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Something that was found, and its address. */
const foundAs = (kind: keyof typeof addressOf, id: string, name: string, state = "") => ({
  name: `${kind} ${name}, ${words(state)}`,
  to: addressOf[kind](id),
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
  const [typed, setTyped] = useState("");
  const text = typed.trim();
  const settled = useSettled(text);
  const { data: found = [], isFetching } = useQuery({
    queryKey: ["find", settled],
    queryFn: () => find(settled),
    enabled: settled.length >= CHARS_MIN,
  });
  // There may be more.
  const isAsking = isFetching || settled !== text;
  const search = {
    name: `Search cases for “${text}”`,
    run: () => void navigate({ to: "/inbox", search: { text } }),
  };
  const items: readonly Command[] = [
    ...found.map(({ name, to }) => ({ name, run: () => void navigate(to) })),
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
        {isAsking ? "Looking …" : "↑ ↓ choose, Enter goes there. In forms Ctrl Enter sends and Esc closes."}
      </Autocomplete.Status>
    </Autocomplete.Root>
  );
}
