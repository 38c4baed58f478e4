import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { isTyping } from "../parts/keys.ts";
import { PAGES } from "./rail.tsx";

/** After `g`, a letter names a page for this long, in ms. */
const GO_MS = 1500;

/** Listens for the keys of all pages: Ctrl K, `?`, and `g` with the letter of a page. */
export function useGlobalKeys(show: (overlay: "find" | "keys") => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let goUntilMs = 0;
    const listen = (event: KeyboardEvent): void => {
      const { key, timeStamp } = event;
      const isCommand = event.ctrlKey || event.metaKey;
      const isFind = isCommand && key.toLowerCase() === "k";
      // A list or a dialog that is open has the keys to itself.
      const isTaken = isTyping(event) || document.querySelector("[role=dialog], [role=menu]") !== null;
      if (!isFind && (isCommand || event.altKey || isTaken)) return;
      const isGoing = timeStamp < goUntilMs;
      goUntilMs = key === "g" && !isGoing ? timeStamp + GO_MS : 0;
      const page = isGoing ? PAGES.find((one) => one.key === key) : undefined;
      if (isFind) show("find");
      else if (page !== undefined) void navigate({ to: page.to });
      else if (key === "?") show("keys");
      else if (!isGoing) return;
      event.preventDefault();
    };
    // Before the keys of a page, so that the letter after `g` is none of them.
    document.addEventListener("keydown", listen, { capture: true });
    return () => document.removeEventListener("keydown", listen, { capture: true });
  }, [navigate, show]);
}
