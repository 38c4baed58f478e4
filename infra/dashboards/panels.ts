/** A panel: title, unit as Grafana calls it, and its lines: an expression of PromQL and a legend. */
export type Panel = readonly [
  title: string,
  unit: string,
  ...lines: readonly (readonly [expr: string, legend: string])[],
];

const quantile = (share: number, name: string, by: string): string =>
  `histogram_quantile(${share}, sum by (le, ${by}) (rate(${name}_bucket[$__rate_interval])))`;
const rate = (name: string, by: string): string => `sum by (${by}) (rate(${name}[$__rate_interval]))`;

/** Rows of the dashboard, each with its panels, in the order in which somebody on call looks at them. */
export const ROWS: Readonly<Record<string, readonly Panel[]>> = {
  "Is anything lost, or late?": [
    ["Messages lost", "short", ["max(suture_messages_lost)", "lost"]],
    ["Equation balanced", "short", ["min(suture_equation_balanced)", "balanced"]],
    ["Runs", "short", ["max by (status) (suture_runs)", "{{status}}"]],
    ["Requests by answer", "reqps", [rate("suture_http_request_seconds_count", "status"), "{{status}}"]],
    ["Time to a run's result, p95", "s", [quantile(0.95, "suture_run_seconds", "team"), "{{team}}"]],
    [
      "Wait before the first delivery, p95",
      "s",
      [quantile(0.95, "suture_wait_seconds", "agent"), "{{agent}}"],
    ],
  ],
  Work: [
    ["Deliveries", "ops", [rate("suture_delivery_seconds_count", "outcome"), "{{outcome}}"]],
    ["Time of a delivery, p95", "s", [quantile(0.95, "suture_delivery_seconds", "agent"), "{{agent}}"]],
    ["Failures by class", "ops", [rate("suture_delivery_failures_total", "class"), "{{class}}"]],
    ["Waiting messages", "short", [`max by (agent) (suture_queue_messages{state="waiting"})`, "{{agent}}"]],
    [
      "Oldest waiting message",
      "s",
      [`max by (agent) (suture_queue_oldest_seconds{lane="fresh"})`, "{{agent}}"],
    ],
    ["Working processes", "short", [`max by (agent) (suture_agent_processes{state="working"})`, "{{agent}}"]],
    [
      "Refused as repeated, or as another's",
      "ops",
      [rate("suture_duplicates_total", "agent"), "repeated, {{agent}}"],
      [rate("suture_fenced_writes_total", "agent"), "another's, {{agent}}"],
    ],
  ],
  Ward: [
    ["Cases", "short", ["max by (status) (suture_ward_cases)", "{{status}}"]],
    ["Oldest case", "s", ["max by (status) (suture_ward_oldest_seconds)", "{{status}}"]],
    ["Dead messages not yet taken in", "short", ["max(suture_ward_inbox)", "inbox"]],
    ["Repairs by procedure", "ops", [rate("suture_repairs_total", "procedure"), "{{procedure}}"]],
    ["Time of surgery, p95", "s", [quantile(0.95, "suture_surgery_seconds", "outcome"), "{{outcome}}"]],
    [
      "Surgery's money this hour",
      "currencyUSD",
      ["max(suture_surgery_cost_this_hour_usd)", "spent or set aside"],
    ],
  ],
  Models: [
    [
      "Cost",
      "currencyUSD",
      [`sum by (agent) (increase(suture_model_cost_usd_total[1h]))`, "{{agent}}, an hour"],
    ],
    ["Tokens", "short", [rate("suture_model_tokens_total", "model, type"), "{{model}} {{type}}"]],
    ["Time of a call, p95", "s", [quantile(0.95, "suture_model_call_seconds", "model"), "{{model}}"]],
    [
      "Calls by outcome",
      "ops",
      [rate("suture_model_call_seconds_count", "model, outcome"), "{{model}} {{outcome}}"],
    ],
  ],
  "Redis and processes": [
    ["Memory of Redis", "bytes", ["max by (kind) (suture_redis_memory_bytes)", "{{kind}}"]],
    ["Memory of a process", "bytes", ["suture_process_memory_bytes", "{{instance}}"]],
    [
      "CPU of a process",
      "percentunit",
      [rate("suture_process_cpu_seconds_total", "instance"), "{{instance}}"],
    ],
    [
      "Delay of the event loop, p99",
      "s",
      [`suture_event_loop_delay_seconds{quantile="0.99"}`, "{{instance}}"],
    ],
  ],
};
