import { Link, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { SURGEON } from "../data/agents.ts";
import { GroupName } from "./group-name.tsx";
import type { Named } from "./group-name.tsx";

/** A link to a case, by the end of its id. */
export function CaseLink({ id }: { readonly id: string }) {
  return (
    <Link to="/inbox/case/$caseId" params={{ caseId: id }} title={id}>
      <code>{id.slice(-8)}</code>
    </Link>
  );
}

/** A link to a group, by its name in words. */
export function GroupLink({ of }: { readonly of: Named }) {
  return (
    <Link to="/inbox/group/$fingerprint" params={{ fingerprint: of.fingerprint }}>
      <GroupName of={of} />
    </Link>
  );
}

/** A link to an agent or the surgeon. The gateway, which is none, is only named. */
export function AgentLink({ name, title }: { readonly name: string; readonly title?: string }) {
  if (name === "gateway") return name;
  return (
    <Link to="/agents/$agent" params={{ agent: name }} title={title}>
      {name === SURGEON ? "surgeon" : name}
    </Link>
  );
}

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
