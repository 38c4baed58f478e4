import { useMutation } from "@tanstack/react-query";
import type { ComponentProps, KeyboardEvent, ReactNode, SubmitEvent } from "react";
import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import { Problem } from "../data/api.ts";
import { useCommands } from "./commands.ts";
import { Button, Faults } from "./page.tsx";
import styles from "./parts.module.css";

/** A field of a form. Its name is that of the API's body. */
export interface Field extends ComponentProps<"input"> {
  readonly name: string;
  readonly label: string;
  /** Values to choose from, with their names. */
  readonly options?: Readonly<Record<string, string>>;
}

/** Values of a form by the names of its fields. Fields that were left empty are missing. */
export type Given = Readonly<Record<string, string | number | boolean>>;

interface ReasonFormProps {
  /** Text of the button that sends it. */
  readonly title: string;
  readonly tone?: "main" | "bad";
  /** Default: a reason is needed. */
  readonly needsWhy?: boolean;
  /** False: nothing is asked. Default: a reason is. */
  readonly asksWhy?: boolean;
  /** The reason that it cannot be sent yet. Default: it can. */
  readonly blocked?: string | undefined;
  /** True: the reason takes the focus. A dialog gives it by itself. */
  readonly hasFocus?: boolean;
  /** The reason that it begins with. */
  readonly why?: string | undefined;
  readonly onWhy?: ((why: string) => void) | undefined;
  /** Above the reason. */
  readonly fields?: readonly Field[];
  /** Sends the reason, and what was given in the fields. */
  readonly send: (why: string, given: Given) => Promise<unknown>;
  /** Default: what was typed is thrown away. */
  readonly onCancel?: () => void;
}

/** A reason, what is asked beside it, and the button that does it: Enter or Ctrl-Enter sends, Esc closes. */
export function ReasonForm(props: ReasonFormProps) {
  const { title, tone = "main", needsWhy = true, asksWhy = true, hasFocus = false, blocked } = props;
  const reason: Field = {
    name: "why",
    label: needsWhy ? "Why" : "Why (may be empty)",
    autoFocus: hasFocus,
    required: needsWhy,
    maxLength: 2000,
    placeholder: "For whoever reads the audit",
    defaultValue: props.why,
    onChange: ({ target }) => props.onWhy?.(target.value),
  };
  const fields = [...(props.fields ?? []), ...(asksWhy ? [reason] : [])];
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const given = givenIn(new FormData(form), fields);
      await props.send(String(given["why"] ?? ""), given);
      form.reset();
    },
  });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isPending && blocked === undefined) mutate(event.currentTarget);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key === "Escape" && !event.defaultPrevented) props.onCancel?.();
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    <form
      data-decides=""
      className={styles.reason}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      aria-label={title}
    >
      {fields.map((field) => (
        <Labelled key={field.name} {...field} />
      ))}
      <Button type="submit" tone={tone} disabled={isPending || blocked !== undefined} title="Ctrl-Enter">
        {title}
      </Button>
      <Button type="reset" onClick={props.onCancel}>
        {asksWhy ? "Cancel" : "Leave it"}
      </Button>
      <div role="alert" className={styles.problem}>
        {error?.message ?? blocked}
        {error instanceof Problem && <Faults faults={error.faults} />}
      </div>
    </form>
  );
}

/** A choice, a text, a number or a yes. It keeps what is typed by itself. */
function Labelled({ label, options, ...input }: Field) {
  return (
    <label title={input.title}>
      <span>{label}</span>
      {options === undefined ? (
        <input className={styles.input} autoComplete="off" {...input} />
      ) : (
        <select className={styles.input} name={input.name}>
          {Object.entries(options).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </label>
  );
}

/** Returns what is given in a form that has these fields. */
function givenIn(form: FormData, fields: readonly Field[]): Given {
  const given = fields.map(({ name, type }): [string, string | number | boolean] => {
    const value = form.get(name);
    const text = typeof value === "string" ? value.trim() : "";
    const typed = type === "number" && text !== "" ? Number(text) : text;
    return [name, type === "checkbox" ? form.has(name) : typed];
  });
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}

/**
 * Presses the button of the form that is open, from outside of it. Where the reason is missing, it takes the focus.
 * Returns true, as the handler of a key in the editor.
 */
export function sendForm(): boolean {
  document.querySelector<HTMLFormElement>("form[data-decides]")?.requestSubmit();
  return true;
}

interface AskWhyProps extends Pick<ComponentProps<typeof ReasonForm>, "title" | "tone" | "asksWhy" | "send"> {
  /** The consequences, in a sentence. */
  readonly children: ReactNode;
}

/**
 * A button with the first word of its title, and a command (Ctrl K), that asks for a reason, or for a confirmation,
 * before it does something. What is sent is of what the page showed when the dialog was opened.
 */
export function AskWhy({ children, send, ...form }: AskWhyProps) {
  const { title, tone } = form;
  const [opened, setOpened] = useState<typeof send | null>(null);
  const change = (isOpen: boolean): void => setOpened(isOpen ? () => send : null);
  useCommands([{ name: title, run: () => change(true) }]);
  const carryOut: typeof send = async (...given) => {
    await opened?.(...given);
    change(false);
  };
  const opener = <Button tone={tone === "bad" ? "bad" : "plain"} aria-label={title} />;
  return (
    <Dialog.Root open={opened !== null} onOpenChange={change}>
      <Dialog.Trigger render={opener}>{title.split(" ", 1)} …</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.dialog}>
          <Dialog.Title className={styles.dialogTitle}>{title}</Dialog.Title>
          <Dialog.Description className={styles.quiet}>{children}</Dialog.Description>
          <ReasonForm {...form} send={carryOut} onCancel={() => change(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
