import { money } from "../../parts/amounts.ts";
import { useNow } from "../../parts/when.tsx";
import styles from "./cost.module.css";

const HOUR_MS = 3_600_000;
const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** A bar for each hour, the current one last, with its amount on hover and for who does not see it. */
export function Hours({ amounts }: { readonly amounts: readonly number[] }) {
  const now = Math.floor(useNow() / HOUR_MS) * HOUR_MS;
  const most = Math.max(0.000001, ...amounts);
  const startOf = (index: number): string => time.format(now - (amounts.length - 1 - index) * HOUR_MS);
  return (
    <figure className={styles.hours}>
      <ol aria-label="Cost by hour">
        {amounts.map((amount, index) => (
          <li key={startOf(index)} title={`${startOf(index)}: ${money(amount)}`}>
            <span className={styles.bar} style={{ height: `${Math.max(2, (100 * amount) / most)}%` }} />
            <span className={styles.hidden}>
              {startOf(index)}: {money(amount)}
            </span>
          </li>
        ))}
      </ol>
      <figcaption>
        <span>{startOf(0)}</span>
        <span>most in an hour: {money(Math.max(0, ...amounts))}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}
