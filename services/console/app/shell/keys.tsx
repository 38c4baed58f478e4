import { Dialog } from "@base-ui/react/dialog";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { isTyping } from "../parts/keys.ts";
import { PAGES } from "./rail.tsx";
import styles from "./commands.module.css";

/** After `g`, a letter names a page for this long, in ms. */
const GO_MS = 1500;

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    "Everywhere",
    [
      ["Ctrl K", "find an id, a case, a page or a command"],
      ["/", "find on this page"],
      ["?", "these keys"],
      ["Esc", "close, or go out of a field"],
    ],
  ],
  ["Go to a page", PAGES.map(({ key, name }) => [`g ${key}`, name] as const)],
  [
    "Inbox",
    [
      ["j k", "next and previous"],
      ["c", "first case of the group"],
      ["e", "repair by hand"],
      ["a", "approve a repair; acknowledge a group"],
      ["r", "release as it is; call a group resolved"],
      ["o", "have it repaired anew; the whole group"],
      ["x", "discard"],
      ["Ctrl Enter", "send what is written"],
    ],
  ],
];

/** Listens for the keys of all pages, and lists every key when `?` is pressed. */
export function Keys({
  isOpen,
  onOpen,
  onFind,
}: {
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onFind: () => void;
}) {
  useGlobalKeys({ onFind, onHelp: () => onOpen(true) });
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title className={styles.title}>Keys</Dialog.Title>
          <div className={styles.keys}>
            {KEYS.map(([where, keys]) => (
              <section key={where}>
                <h3>{where}</h3>
                <dl>
                  {keys.map(([key, does]) => (
                    <div key={key}>
                      <dt>
                        <kbd>{key}</kbd>
                      </dt>
                      <dd>{does}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useGlobalKeys(does: { readonly onFind: () => void; readonly onHelp: () => void }): void {
  const navigate = useNavigate();
  const [goUntil] = useState({ ms: 0 });
  const latest = useRef(does);
  useEffect(() => void (latest.current = does));
  useEffect(() => {
    const act = (event: KeyboardEvent): boolean => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        latest.current.onFind();
        return true;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return false;
      // A list or a dialog that is open has the keys to itself.
      if (document.querySelector("[role=dialog], [role=menu]") !== null) return false;
      const isGoing = event.timeStamp < goUntil.ms;
      goUntil.ms = event.key === "g" && !isGoing ? event.timeStamp + GO_MS : 0;
      const page = isGoing ? PAGES.find(({ key }) => key === event.key) : undefined;
      if (page !== undefined) void navigate({ to: page.to });
      else if (event.key === "?") latest.current.onHelp();
      else return isGoing;
      return true;
    };
    const listen = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && isTyping(event) && !event.defaultPrevented) leaveSearch(event);
      else if (act(event)) event.preventDefault();
    };
    // Before the keys of a page, so that the letter after `g` is none of them.
    document.addEventListener("keydown", listen, { capture: true });
    return () => document.removeEventListener("keydown", listen, { capture: true });
  }, [goUntil, navigate]);
}

/** From a page's search, Esc gives the keys back to the page. */
function leaveSearch({ target }: KeyboardEvent): void {
  if (target instanceof HTMLElement && target.matches("input[type=search]")) target.blur();
}
