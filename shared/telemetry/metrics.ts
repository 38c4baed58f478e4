import { defineError } from "#shared/errors";

/** A metric was declared or used in a way that Prometheus could not read: a caller's bug, seen at start. */
export class MetricMisuseError extends defineError((metric: string, problem: string) => ({
  code: "METRIC_MISUSE",
  failureClass: "handler_error",
  severity: "fatal",
  message: `Metric ${metric.slice(0, 100)} ${problem}.`,
  remedy: "Correct the call that declares or changes this metric.",
})) {}

/** Values of a metric's labels, by name; all that were declared and no others. */
export type Labels = Readonly<Record<string, string>>;

interface MetricOptions {
  /** Prometheus name; counters end in `_total`, others in their unit. */
  readonly name: string;
  readonly help: string;
  /** Names of its labels. Only words of a small closed set belong there: never ids, never text of customers. */
  readonly labels?: readonly string[];
}

export interface Counter {
  /** Adds `amount`, at least 0. Default: 1. */
  add(labels?: Labels, amount?: number): void;
  /** Takes over a total that is counted elsewhere, as in Redis. */
  set(labels: Labels, total: number): void;
}

export interface Gauge {
  set(labels: Labels, value: number): void;
}

export interface Histogram {
  observe(labels: Labels, value: number): void;
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

/** The metrics of one process, as Prometheus reads them at `/metrics`. */
export class Metrics {
  readonly #families = new Map<string, Family>();
  readonly #collectors: (() => Promise<void> | void)[] = [];
  #dropped = 0;

  counter(options: MetricOptions): Counter {
    const family = this.#declare("counter", options);
    return {
      add: (labels = {}, amount = 1) => {
        if (!(amount >= 0))
          throw new MetricMisuseError(options.name, "was given an amount that is not 0 or more");
        this.#change(family, labels, (series) => (series.value += amount));
      },
      set: (labels, total) => this.#change(family, labels, (series) => (series.value = total)),
    };
  }

  gauge(options: MetricOptions): Gauge {
    const family = this.#declare("gauge", options);
    return { set: (labels, value) => this.#change(family, labels, (series) => (series.value = value)) };
  }

  histogram(options: MetricOptions): Histogram {
    const family = this.#declare("histogram", options);
    return {
      observe: (labels, value) => {
        this.#change(family, labels, (series) => {
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
    const blocks = [...this.#families.values()].map((family) => family.render());
    const head = headOf({
      name: DROPPED,
      help: "Label sets left out because a metric had too many.",
      kind: "counter",
    });
    return `${blocks.join("")}${head}${DROPPED} ${this.#dropped}\n`;
  }

  #declare(kind: Kind, options: MetricOptions): Family {
    if (this.#families.has(options.name)) throw new MetricMisuseError(options.name, "was declared before");
    const family = new Family(kind, options);
    this.#families.set(options.name, family);
    return family;
  }

  #change(family: Family, labels: Labels, change: (series: Series) => void): void {
    const series = family.findOrAdd(labels);
    if (series === null) this.#dropped += 1;
    else change(series);
  }
}

/** One metric with all its label sets. */
class Family {
  readonly #kind: Kind;
  readonly #options: MetricOptions;
  readonly #labelNames: readonly string[];
  readonly #series = new Map<string, Series>();

  constructor(kind: Kind, options: MetricOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#labelNames = options.labels ?? [];
  }

  /** Returns the series of these labels; null if there are too many. */
  findOrAdd(labels: Labels): Series | null {
    let isComplete = Object.keys(labels).length === this.#labelNames.length;
    let key = "";
    for (const name of this.#labelNames) {
      const value = Object.hasOwn(labels, name) ? labels[name] : undefined;
      if (value === undefined) isComplete = false;
      // With its length, so that no two sets of values have the same key.
      else key += `${value.length}:${value}`;
    }
    if (!isComplete)
      throw new MetricMisuseError(this.#options.name, "was given other labels than it declares");
    return this.#series.get(key) ?? this.#add(key, labels);
  }

  #add(key: string, values: Labels): Series | null {
    if (this.#series.size >= SERIES_MAX) return null;
    const labels = this.#labelNames.map((name) => `${name}="${escapeValue(values[name] ?? "")}"`).join(",");
    const added: Series = { labels, value: 0, buckets: [], sum: 0 };
    this.#series.set(key, added);
    return added;
  }

  render(): string {
    const { name, help } = this.#options;
    return (
      headOf({ name, help, kind: this.#kind }) +
      [...this.#series.values()].flatMap((series) => this.#lines(series)).join("")
    );
  }

  #lines(series: Series): string[] {
    const { name } = this.#options;
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

function headOf({ name, help, kind }: { name: string; help: string; kind: Kind }): string {
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
