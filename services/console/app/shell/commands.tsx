import { Dialog } from "@base-ui/react/dialog";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import type { KeyboardEvent } from "react";
import { pageCommands } from "../parts/commands.ts";
import type { Command } from "../parts/commands.ts";
import { useFound } from "./find.ts";
import { PAGES } from "./rail.tsx";
import styles from "./commands.module.css";

interface CommandsProps {
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onKeys: () => void;
}

/** Finds a run, a case, a group, a recipe, a page or a command by what somebody types or pastes (Ctrl K). */
export function Commands({ isOpen, onOpen, onKeys }: CommandsProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label="Find or do">
          <Finder onClose={() => onOpen(false)} onKeys={onKeys} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What can be chosen for a text: what it leads to first, then searches, then pages and commands by their names. */
function useChoices(text: string, onKeys: () => void): { commands: readonly Command[]; isAsking: boolean } {
  const navigate = useNavigate();
  const router = useRouter();
  const { found, isAsking } = useFound(text);
  const named = [
    ...pageCommands(),
    ...PAGES.map(({ to, name }) => ({ name: `Go to ${name}`, run: () => void navigate({ to }) })),
    { name: "Show all keys", run: onKeys },
  ].filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  const searches =
    text === ""
      ? []
      : [
          {
            name: `Search cases for “${text}”`,
            run: () => void navigate({ to: "/inbox", search: { text } }),
          },
          { name: `Search runs for “${text}”`, run: () => void navigate({ to: "/runs", search: { text } }) },
        ];
  const places = found.map(({ name, to }) => ({
    name,
    run: () => router.history.push(import.meta.env.BASE_URL + to),
  }));
  return { commands: [...places, ...named, ...searches], isAsking };
}

function Finder({ onClose, onKeys }: { readonly onClose: () => void; readonly onKeys: () => void }) {
  const [typed, setTyped] = useState("");
  const [chosen, choose] = useState(0);
  const { commands, isAsking } = useChoices(typed.trim(), onKeys);
  const carryOut = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") choose((chosen + 1) % Math.max(1, commands.length));
    else if (event.key === "ArrowUp") choose((chosen + commands.length - 1) % Math.max(1, commands.length));
    else if (event.key === "Enter" && !isAsking) carryOut(commands[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        className={styles.input}
        role="combobox"
        aria-expanded
        aria-controls="commands"
        aria-activedescendant={`command-${chosen}`}
        aria-label="Find an id, an order, a customer, or a command"
        placeholder="Paste an id, an order, a customer, or name a page"
        value={typed}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setTyped(target.value);
          choose(0);
        }}
      />
      <ul id="commands" role="listbox" aria-label="Found" className={styles.list} aria-busy={isAsking}>
        {commands.map((command, index) => (
          <li
            key={`${index} ${command.name}`}
            id={`command-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={styles.command}
            onClick={() => carryOut(command)}
          >
            {command.name}
          </li>
        ))}
      </ul>
      <p className={styles.foot} role="status">
        {isAsking
          ? "Looking …"
          : commands.length === 0
            ? "Nothing is called that."
            : "↑ ↓ choose, Enter goes there"}
      </p>
    </>
  );
}
