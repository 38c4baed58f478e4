import type { ComponentProps } from "react";
import styles from "./parts.module.css";

interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  /** `main` at most once in view. Default: plain. */
  readonly tone?: "plain" | "main" | "bad";
}

export function Button({ tone = "plain", type = "button", ...more }: ButtonProps) {
  return <button type={type} className={styles.button} data-tone={tone} {...more} />;
}
