import styles from "./parts.module.css";

const [WIDTH, HEIGHT] = [96, 22];

/** Bars of counts over time, the newest at the right. @param label - What they say, for who does not see them. */
export function Trend({
  counts,
  bad,
  label,
}: {
  readonly counts: readonly number[];
  /** How many of each were bad. Default: none. */
  readonly bad?: readonly number[];
  readonly label: string;
}) {
  const most = Math.max(1, ...counts);
  const width = WIDTH / Math.max(1, counts.length);
  return (
    <svg className={styles.trend} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {counts.map((count, index) => (
        // Counts have no names but their places.
        <Bar key={index} at={index * width} width={width} share={count / most} />
      ))}
      {bad?.map((count, index) => (
        <Bar key={index} at={index * width} width={width} share={count / most} isBad />
      ))}
    </svg>
  );
}

function Bar(props: {
  readonly at: number;
  readonly width: number;
  readonly share: number;
  readonly isBad?: boolean;
}) {
  const { at, width, share, isBad = false } = props;
  const height = share === 0 ? (isBad ? 0 : 1) : Math.max(2, share * HEIGHT);
  return <rect x={at} y={HEIGHT - height} width={Math.max(1, width - 1)} height={height} data-bad={isBad} />;
}
