import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "./button.tsx";
import { ReasonForm } from "./reason-form.tsx";
import styles from "./parts.module.css";

interface AskWhyProps {
  /** On the button that opens it. */
  readonly children: ReactNode;
  /** What it does, as its heading and on its button. */
  readonly title: string;
  /** What follows from it. */
  readonly says: ReactNode;
  readonly tone?: "main" | "bad";
  readonly opener?: ComponentProps<typeof Button>["tone"];
  /** False: nothing is asked but whether. Default: a reason is needed. */
  readonly asksWhy?: boolean;
  readonly send: (why: string) => Promise<unknown>;
}

/** A button that asks for a reason, or for a confirmation, before it does something. */
export function AskWhy({ children, title, says, tone = "main", opener, asksWhy = true, send }: AskWhyProps) {
  const [isOpen, setOpen] = useState(false);
  const carryOut = async (said: string): Promise<void> => {
    await send(said);
    setOpen(false);
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger render={<Button tone={opener ?? "plain"} aria-label={title} />}>
        {children}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.dialog}>
          <Dialog.Title className={styles.dialogTitle}>{title}</Dialog.Title>
          <Dialog.Description className={styles.quiet}>{says}</Dialog.Description>
          <ReasonForm
            title={title}
            tone={tone}
            asksWhy={asksWhy}
            send={carryOut}
            onCancel={() => setOpen(false)}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
