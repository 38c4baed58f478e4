import styles from "./parts.module.css";

const [WIDTH, HEIGHT] = [96, 22];

/** Bars of counts over time, the newest at the right. @param label - What they say, for who does not see them. */
export function Trend({ counts, label }: { readonly counts: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...counts);
  const width = WIDTH / Math.max(1, counts.length);
  return (
    <svg className={styles.trend} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(2, (count / most) * HEIGHT);
        return (
          // Counts have no names but their places.
          <rect
            key={index}
            x={index * width}
            y={HEIGHT - height}
            width={Math.max(1, width - 1)}
            height={height}
          />
        );
      })}
    </svg>
  );
}
