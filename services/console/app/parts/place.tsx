import { useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A link to a place of the app by its address below the base, such as `runs/ID`. */
export function Place({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  const router = useRouter();
  const href = import.meta.env.BASE_URL + to;
  return (
    <a
      href={href}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        router.history.push(href);
      }}
    >
      {children}
    </a>
  );
}
