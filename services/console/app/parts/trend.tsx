import styles from "./parts.module.css";

const [WIDTH, HEIGHT] = [96, 22];

/** Bars of counts over time, the newest at the right, and in them how many were bad. @param label - What they say. */
export function Trend(props: {
  readonly counts: readonly number[];
  readonly bad?: readonly number[];
  readonly label: string;
}) {
  const { counts, bad = [], label } = props;
  const most = Math.max(1, ...counts);
  const width = WIDTH / Math.max(1, counts.length);
  // A count of 0 is a line at the bottom; none that is bad is nothing.
  const bar = (isBad: boolean) => (count: number, index: number) => {
    const height = count === 0 ? Number(!isBad) : Math.max(2, (count / most) * HEIGHT);
    const place = { x: index * width, y: HEIGHT - height, width: Math.max(1, width - 1), height };
    return <rect key={`${isBad} ${index}`} {...place} data-bad={isBad} />;
  };
  return (
    <svg className={styles.trend} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {counts.map(bar(false))}
      {bad.map(bar(true))}
    </svg>
  );
}
