import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { Problem, readAgain } from "../../data/api.ts";
import { Button } from "../../parts/button.tsx";
import { useCommands } from "../../parts/commands.ts";
import { useKeys } from "../../parts/keys.ts";
import { ReasonForm } from "../../parts/reason-form.tsx";
import { useDraft } from "./draft.ts";
import styles from "./inbox.module.css";

/** Something that can be decided now. */
export interface Action {
  readonly name: string;
  readonly title: string;
  /** Title of the button that does it. Default: `title`. */
  readonly confirm?: string;
  readonly key?: string;
  readonly tone?: "main" | "bad";
  readonly needsWhy?: boolean;
  readonly fields?: ReactNode;
  /** The focus is taken by something else than the reason. */
  readonly isElsewhere?: boolean;
  /** Why it cannot be sent yet. */
  readonly blocked?: string | undefined;
  /** @returns what happened, as a sentence. */
  readonly send: (why: string, version: number) => Promise<string>;
}

interface ActionBarProps {
  /** Of the case or the group. */
  readonly id: string;
  readonly version: number;
  readonly actions: readonly Action[];
  /** Shown where there is nothing to do. */
  readonly none: string;
}

/** How long it is told what came of a decision, in ms. */
const SAID_MS = 15_000;

/** What can be done with what is shown, always in sight; the form of what was chosen, and what came of it. */
export function ActionBar({ id, version, actions, none }: ActionBarProps) {
  const [draft, setDraft] = useDraft(id);
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(""), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const bar = useRef<HTMLDivElement>(null);
  const chosen = actions.find(({ name }) => name === draft?.action);
  const isStale = typeof draft?.action === "string" && draft.version !== version;
  const choose = (name: string): void => {
    setSaid("");
    setDraft({ why: "", version, ...draft, action: name });
  };
  const close = (): void => {
    if (draft !== null) setDraft({ ...draft, action: null });
    bar.current?.focus();
  };
  const carryOut = async (action: Action, why: string): Promise<void> => {
    try {
      setSaid(await action.send(why, draft?.version ?? version));
      setDraft(null);
      bar.current?.focus();
      void readAgain();
    } catch (problem) {
      // They have been told: what is shown from now on is what they decide about.
      if (problem instanceof Problem && problem.status === 409) await readAgain();
      throw problem;
    }
  };
  useCommands(actions.map(({ name, title }) => ({ name: title, run: () => choose(name) })));
  useKeys(
    Object.fromEntries(
      actions.flatMap(({ key, name }) => (key === undefined ? [] : [[key, () => choose(name)]])),
    ),
  );
  return (
    <div ref={bar} className={styles.actions} tabIndex={-1} role="region" aria-label="Decide">
      {said !== "" && <p role="status">{said}</p>}
      {isStale && (
        <Changed
          isPossible={chosen !== undefined}
          onLooked={() => setDraft(chosen === undefined ? null : { ...draft, version })}
        />
      )}
      {chosen !== undefined && draft !== null ? (
        <ReasonForm
          key={chosen.name}
          hasFocus={chosen.isElsewhere !== true}
          title={chosen.confirm ?? chosen.title}
          tone={chosen.tone ?? "main"}
          needsWhy={chosen.needsWhy ?? true}
          blocked={chosen.blocked}
          why={draft.why}
          onWhy={(why) => setDraft({ ...draft, why })}
          send={(why) => carryOut(chosen, why)}
          onCancel={close}
        >
          {chosen.fields}
        </ReasonForm>
      ) : (
        <Choices actions={actions} onChoose={choose} none={said === "" ? none : ""} />
      )}
    </div>
  );
}

/** What somebody decides about has been changed by others since they began. */
function Changed({ isPossible, onLooked }: { readonly isPossible: boolean; readonly onLooked: () => void }) {
  return (
    <p role="alert" className={styles.stale}>
      This was changed while you were writing.{" "}
      {isPossible
        ? "Look at what it is now before you decide."
        : "It cannot be done any more; what you typed is kept until you throw it away."}
      <Button onClick={onLooked}>{isPossible ? "I have looked" : "Throw it away"}</Button>
    </p>
  );
}

interface ChoicesProps {
  readonly actions: readonly Action[];
  readonly onChoose: (name: string) => void;
  readonly none: string;
}

function Choices({ actions, onChoose, none }: ChoicesProps) {
  return (
    <div className={styles.buttons}>
      {actions.map(({ name, title, key, tone }) => (
        <Button key={name} tone={tone ?? "plain"} aria-keyshortcuts={key} onClick={() => onChoose(name)}>
          {title} {key !== undefined && <kbd>{key}</kbd>}
        </Button>
      ))}
      {actions.length === 0 && <span className={styles.quiet}>{none}</span>}
    </div>
  );
}
