/** Values of a metric's labels, by name. */
type Labels<Label extends string> = Readonly<Record<Label, string>>;

export interface Counter<Label extends string = never> {
  /** Adds `amount`. Default: 1. A counter never falls: what is not 0 or more is left out. */
  add(labels: Labels<Label>, amount?: number): void;
  /** Takes over a total that is counted elsewhere, as in Redis. */
  set(labels: Labels<Label>, total: number): void;
}

export interface Gauge<Label extends string = never> {
  set(labels: Labels<Label>, value: number): void;
}

export interface Histogram<Label extends string = never> {
  observe(labels: Labels<Label>, value: number): void;
}

/** Media type of what `render` gives. */
export const METRICS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Upper bounds of histograms, in seconds; `+Inf` is added. */
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Label sets kept of one metric. More mean that an id got into a label; the rest is left out and counted. */
const SERIES_MAX = 1000;
const DROPPED = "suture_metric_series_dropped_total";

type Kind = "counter" | "gauge" | "histogram";

interface Series {
  readonly labels: string;
  value: number;
  /** Observations of each bucket alone; rendering adds the narrower ones. */
  readonly buckets: number[];
  sum: number;
}

/**
 * The metrics of one process, as Prometheus reads them at `/metrics`. Each is declared once, by its Prometheus name
 * (counters end in `_total`, others in their unit), its help and its labels. Values of labels are words of a small
 * closed set: never ids, never text of customers.
 */
export class Metrics {
  readonly #families: Family[] = [];
  readonly #collectors: (() => Promise<void> | void)[] = [];
  #dropped = 0;

  counter<const Label extends string = never>(
    name: string,
    help: string,
    labels: readonly Label[] = [],
  ): Counter<Label> {
    const family = this.#declare("counter", { name, help, labels });
    return {
      add: (values, amount = 1) => {
        if (amount >= 0) this.#change(family, values, (series) => (series.value += amount));
      },
      set: (values, total) => this.#change(family, values, (series) => (series.value = total)),
    };
  }

  gauge<const Label extends string = never>(
    name: string,
    help: string,
    labels: readonly Label[] = [],
  ): Gauge<Label> {
    const family = this.#declare("gauge", { name, help, labels });
    return { set: (values, value) => this.#change(family, values, (series) => (series.value = value)) };
  }

  histogram<const Label extends string = never>(
    name: string,
    help: string,
    labels: readonly Label[] = [],
  ): Histogram<Label> {
    const family = this.#declare("histogram", { name, help, labels });
    return {
      observe: (values, value) => {
        this.#change(family, values, (series) => {
          series.value += 1;
          series.sum += value;
          const index = BUCKETS_SECONDS.findIndex((bound) => value <= bound);
          if (index !== -1) series.buckets[index] = (series.buckets[index] ?? 0) + 1;
        });
      },
    };
  }

  /** Runs before each rendering, to set gauges to what is true then. One that fails leaves its gauges as they were. */
  collect(collector: () => Promise<void> | void): void {
    this.#collectors.push(collector);
  }

  /** Everything, in Prometheus' text form 0.0.4. */
  async render(): Promise<string> {
    await Promise.allSettled(this.#collectors.map(async (collector) => collector()));
    const blocks = this.#families.map((family) => family.render());
    const head = headOf("counter", DROPPED, "Label sets left out because a metric had too many.");
    return `${blocks.join("")}${head}${DROPPED} ${this.#dropped}\n`;
  }

  #declare(kind: Kind, declared: Declared): Family {
    const family = new Family(kind, declared);
    this.#families.push(family);
    return family;
  }

  #change(family: Family, values: Labels<string>, change: (series: Series) => void): void {
    const series = family.findOrAdd(values);
    if (series === null) this.#dropped += 1;
    else change(series);
  }
}

interface Declared {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** One metric with all its label sets. */
class Family {
  readonly #kind: Kind;
  readonly #declared: Declared;
  readonly #series = new Map<string, Series>();

  constructor(kind: Kind, declared: Declared) {
    this.#kind = kind;
    this.#declared = declared;
  }

  /** Returns the series of these labels; null if there are too many. */
  findOrAdd(values: Labels<string>): Series | null {
    const { labels: names } = this.#declared;
    const labels = names.map((name) => `${name}="${escapeValue(values[name] ?? "")}"`).join(",");
    const known = this.#series.get(labels);
    if (known !== undefined) return known;
    if (this.#series.size >= SERIES_MAX) return null;
    const added: Series = { labels, value: 0, buckets: [], sum: 0 };
    this.#series.set(labels, added);
    return added;
  }

  render(): string {
    const { name, help } = this.#declared;
    return (
      headOf(this.#kind, name, help) +
      [...this.#series.values()].flatMap((series) => this.#lines(series)).join("")
    );
  }

  #lines(series: Series): string[] {
    const { name } = this.#declared;
    if (this.#kind !== "histogram")
      return [`${name}${braced(series.labels)} ${formatNumber(series.value)}\n`];
    const bound = (le: string, count: number): string =>
      `${name}_bucket${braced([series.labels, `le="${le}"`].filter((part) => part !== "").join(","))} ${count}\n`;
    let count = 0;
    return [
      ...BUCKETS_SECONDS.map((le, index) => bound(formatNumber(le), (count += series.buckets[index] ?? 0))),
      bound("+Inf", series.value),
      `${name}_sum${braced(series.labels)} ${formatNumber(series.sum)}\n`,
      `${name}_count${braced(series.labels)} ${series.value}\n`,
    ];
  }
}

function headOf(kind: Kind, name: string, help: string): string {
  const escaped = help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  return `# HELP ${name} ${escaped}\n# TYPE ${name} ${kind}\n`;
}

function braced(labels: string): string {
  return labels === "" ? "" : `{${labels}}`;
}

function escapeValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function formatNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
}
