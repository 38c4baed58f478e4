import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { ReactNode } from "react";
import { useRole } from "../../data/api.ts";
import { shared } from "../../data/shared.ts";
import { useCommands } from "../../parts/commands.ts";
import { Unsealed } from "../../parts/links.tsx";
import { Button, Id, Status } from "../../parts/page.tsx";
import { ReasonForm } from "../../parts/reason-form.tsx";
import type { Given } from "../../parts/reason-form.tsx";
import type { Action } from "./actions.ts";
import styles from "./inbox.module.css";

/** A decision that somebody has begun. */
interface Draft {
  /** Name of the action whose form is open; null: none. */
  readonly action: string | null;
  readonly why: string;
  /** Edited value, as JSON text. */
  readonly text?: string;
  /** Version that was on the page when the form was opened. */
  readonly version: number;
}

const drafts = shared<Readonly<Record<string, Draft | null>>>({});

/**
 * The draft of one case or group. It outlives news, a walk through the list, and a session that ends; it is kept while
 * this tab lives, and on no disk, because it holds what customers wrote.
 */
export function useDraft(id: string): [Draft | null, (next: Draft | null) => void] {
  return [drafts.use()[id] ?? null, (next) => drafts.set({ ...drafts.get(), [id]: next })];
}

interface DetailProps {
  /** Of the case or the group. */
  readonly id: string;
  readonly version: number;
  readonly title: ReactNode;
  readonly status: string;
  readonly actions: readonly Action[];
  /** Called after one of them was carried out. */
  readonly onDone?: () => void;
  readonly children: ReactNode;
}

/** The right half of the inbox: a head, what there is to see, and below it what can be done, always in sight. */
export function Detail({ title, status, children, ...decided }: DetailProps) {
  return (
    <>
      <div className={styles.scroll}>
        <header className={styles.head}>
          <Link to="/inbox" search className={styles.back}>
            ← Inbox
          </Link>
          <h1>{title}</h1>
          <Status of={status} />
          <Unsealed id={decided.id} />
          <Id of={decided.id} chars={40} />
        </header>
        {children}
      </div>
      <ActionBar {...decided} />
    </>
  );
}

type BarProps = Omit<DetailProps, "title" | "status" | "children">;

/** The actions of the case or group that is shown, the form of the chosen one, and its outcome. */
function ActionBar({ id, version, actions: all, onDone }: BarProps) {
  const role = useRole();
  const actions = role === "viewer" ? [] : all.filter((one) => role === "admin" || one.isForAdmins !== true);
  const [draft, setDraft] = useDraft(id);
  const [said, setSaid] = useState("");
  const bar = useRef<HTMLDivElement>(null);
  const chosen = actions.find(({ name }) => name === draft?.action);
  const choose = (name: string): void => {
    setSaid("");
    setDraft({ why: "", version, ...draft, action: name });
  };
  const leave = (next: Draft | null): void => {
    setDraft(next);
    bar.current?.focus();
  };
  const carryOut = async (action: Action, why: string, given: Given): Promise<void> => {
    await action.send({ why, version: draft?.version ?? version, ...given });
    setSaid(action.said);
    leave(null);
    onDone?.();
  };
  useCommands(actions.map(({ name, title, key }) => ({ name: title, key, run: () => choose(name) })));
  const none = role === "viewer" ? "Your role may look, not decide." : "Nothing can be decided now.";
  return (
    <div ref={bar} className={styles.actions} tabIndex={-1} role="region" aria-label="Decide">
      <p role="status">{said || (actions.length === 0 && none)}</p>
      {draft !== null && draft.action !== null && draft.version !== version && (
        <p role="alert" className={styles.stale}>
          This was changed while you were writing{chosen === undefined && ", and cannot be done any more"}.
          <Button onClick={() => setDraft(chosen === undefined ? null : { ...draft, version })}>
            {chosen === undefined ? "Throw away what I typed" : "I have looked"}
          </Button>
        </p>
      )}
      {chosen !== undefined && draft !== null ? (
        <ReasonForm
          key={chosen.name}
          {...chosen}
          title={chosen.confirm ?? chosen.title.replace("…", "")}
          hasFocus={chosen.name !== "edit"}
          why={draft.why}
          onWhy={(why) => setDraft({ ...draft, why })}
          send={(why, given) => carryOut(chosen, why, given)}
          onCancel={() => leave({ ...draft, action: null })}
        />
      ) : (
        <div className={styles.buttons}>
          {actions.map(({ name, title, key, tone }) => (
            <Button key={name} tone={tone ?? "plain"} aria-keyshortcuts={key} onClick={() => choose(name)}>
              {title} {key !== undefined && <kbd>{key}</kbd>}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
