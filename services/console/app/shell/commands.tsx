import { Dialog } from "@base-ui/react/dialog";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { KeyboardEvent } from "react";
import { PAGES } from "./rail.tsx";
import styles from "./commands.module.css";

interface Command {
  readonly name: string;
  readonly run: () => void;
}

/** Finds a page, a run, a case or a customer by what somebody types or pastes (Ctrl K). */
export function Commands({
  isOpen,
  onOpen,
}: {
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [chosen, choose] = useState(0);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "k") return;
      event.preventDefault();
      onOpen(true);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [onOpen]);

  const text = typed.trim();
  const found: readonly Command[] = [
    ...(text === ""
      ? []
      : [
          { name: `Runs that hold “${text}”`, run: () => void navigate({ to: "/runs", search: { text } }) },
          { name: `Cases that hold “${text}”`, run: () => void navigate({ to: "/inbox", search: { text } }) },
        ]),
    ...PAGES.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())).map(({ name, to }) => ({
      name: `Go to ${name}`,
      run: () => void navigate({ to }),
    })),
  ];
  const carryOut = (command: Command | undefined): void => {
    onOpen(false);
    setTyped("");
    command?.run();
  };
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === "ArrowDown") choose((chosen + 1) % found.length);
    else if (key === "ArrowUp") choose((chosen + found.length - 1) % found.length);
    else if (key === "Enter") carryOut(found[chosen]);
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label="Find or do">
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
          <ul id="commands" role="listbox" aria-label="Found">
            {found.map((command, index) => (
              <li
                key={command.name}
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
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
