import { useState } from "react";
import type { KeyboardEvent, ReactNode, SubmitEvent } from "react";
import { Problem } from "../data/api.ts";
import { Button } from "./button.tsx";
import { Faults } from "./states.tsx";
import styles from "./parts.module.css";

interface ReasonFormProps {
  /** What the button does. */
  readonly title: string;
  readonly tone?: "main" | "bad";
  /** Default: a reason is needed. */
  readonly needsWhy?: boolean;
  /** False: nothing is asked. Default: a reason is. */
  readonly asksWhy?: boolean;
  /** Why the button cannot be pressed yet. Default: it can. */
  readonly blocked?: string | undefined;
  /** Whether the reason takes the focus. Default: it does. */
  readonly hasFocus?: boolean;
  /** The reason that it begins with. */
  readonly why?: string | undefined;
  readonly onWhy?: ((why: string) => void) | undefined;
  /** Sends the reason, and what the fields above it hold by their names. */
  readonly send: (why: string, form: FormData) => Promise<unknown>;
  readonly onCancel: () => void;
  /** Fields above the reason. */
  readonly children?: ReactNode;
}

/** A reason, what is asked beside it, and the button that does it: Enter or Ctrl-Enter sends, Esc closes. */
export function ReasonForm(props: ReasonFormProps) {
  const { title, tone = "main", needsWhy = true, asksWhy = true, hasFocus = true, blocked, why } = props;
  const [problem, setProblem] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const onSubmit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy || blocked !== undefined) return;
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(null);
    await props.send(String(form.get("why") ?? "").trim(), form).catch(setProblem);
    setBusy(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key === "Escape" && !event.defaultPrevented) props.onCancel();
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    <form
      data-decides=""
      className={styles.reason}
      onSubmit={(event) => void onSubmit(event)}
      onKeyDown={onKeyDown}
      aria-label={title}
    >
      {props.children}
      {asksWhy && (
        <label className={styles.why}>
          <span>{needsWhy ? "Why" : "Why (may be empty)"}</span>
          <input
            className={styles.input}
            name="why"
            autoFocus={hasFocus}
            required={needsWhy}
            maxLength={2000}
            autoComplete="off"
            placeholder="For whoever reads the audit"
            defaultValue={why}
            onChange={({ target }) => props.onWhy?.(target.value)}
          />
        </label>
      )}
      <Button
        type="submit"
        tone={tone}
        autoFocus={!asksWhy && hasFocus}
        disabled={isBusy || blocked !== undefined}
        title="Ctrl-Enter"
      >
        {title}
      </Button>
      <Button onClick={props.onCancel}>{asksWhy ? "Cancel" : "Leave it"}</Button>
      <div role="alert" className={styles.problem}>
        {problem?.message ?? blocked}
        {problem instanceof Problem && <Faults faults={problem.faults} />}
      </div>
    </form>
  );
}

/**
 * Presses the button of the form that is open, from outside of it. Where the reason is missing, it takes the focus.
 * Returns true, as the handler of a key in the editor.
 */
export function sendForm(): boolean {
  document.querySelector<HTMLFormElement>("form[data-decides]")?.requestSubmit();
  return true;
}
