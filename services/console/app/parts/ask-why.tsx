import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "./button.tsx";
import { useCommands } from "./commands.ts";
import { ReasonForm } from "./reason-form.tsx";
import styles from "./parts.module.css";

interface AskWhyProps extends Pick<ComponentProps<typeof ReasonForm>, "title" | "tone" | "asksWhy" | "send"> {
  /** On the button that opens it. */
  readonly children: ReactNode;
  /** What follows from it. */
  readonly says: ReactNode;
  readonly opener?: ComponentProps<typeof Button>["tone"];
  readonly onOpen?: () => void;
}

/** A button, and a command (Ctrl K), that asks for a reason, or for a confirmation, before it does something. */
export function AskWhy(props: AskWhyProps) {
  const { children, title, says, opener = "plain", onOpen, send, ...form } = props;
  const [isOpen, setOpen] = useState(false);
  const change = (next: boolean): void => {
    if (next) onOpen?.();
    setOpen(next);
  };
  useCommands([{ name: title, run: () => change(true) }]);
  const carryOut: typeof send = async (...given) => {
    await send(...given);
    setOpen(false);
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={change}>
      <Dialog.Trigger render={<Button tone={opener} aria-label={title} />}>{children}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.dialog}>
          <Dialog.Title className={styles.dialogTitle}>{title}</Dialog.Title>
          <Dialog.Description className={styles.quiet}>{says}</Dialog.Description>
          <ReasonForm {...form} title={title} send={carryOut} onCancel={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
