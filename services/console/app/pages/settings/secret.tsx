import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import styles from "./settings.module.css";

interface SecretProps {
  readonly of: { readonly name: string; readonly secret: string };
  readonly onKept: () => void;
}

/** The secret of a new key, shown until somebody says that they have kept it. */
export function Secret({ of: { name, secret }, onKept }: SecretProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <div className={styles.secret} role="status">
      <p>
        <b>The secret of {name}.</b> It is shown once and kept nowhere.
      </p>
      <input
        readOnly
        value={secret}
        aria-label={`Secret of ${name}`}
        onFocus={({ target }) => target.select()}
      />
      <Button onClick={() => void copy()}>{isCopied ? "Copied" : "Copy"}</Button>{" "}
      <Button onClick={onKept}>I have kept it</Button>
    </div>
  );
}
