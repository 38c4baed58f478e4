import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { LABEL, podsOf } from "./workloads.ts";

const RULES = new URL("../../../deploy/prometheus/rules.yml", import.meta.url);
const DASHBOARD = new URL("../../../deploy/grafana/suture.json", import.meta.url);

const rulesSchema = z.object({ groups: z.array(z.looseObject({ name: z.string() })) });

/** Returns the dashboard, as Grafana imports it. */
export function dashboard(): string {
  return readFileSync(DASHBOARD, "utf8");
}

/** Returns what Prometheus' operator scrapes, and the alerts. */
export function monitoringObjects(): object[] {
  const monitor = (name: string, selector: Record<string, string>, endpoint: object): object => ({
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PodMonitor",
    metadata: { name },
    spec: {
      selector: { matchLabels: selector },
      podMetricsEndpoints: [{ path: "/metrics", interval: "15s", ...endpoint }],
    },
  });
  const credentials = { name: "metrics-key", key: "token" };
  return [
    monitor("suture-processes", { [LABEL.metrics]: "true" }, { port: "health" }),
    monitor("suture-gateway", podsOf("gateway"), { port: "http", authorization: { credentials } }),
    {
      apiVersion: "monitoring.coreos.com/v1",
      kind: "PrometheusRule",
      metadata: { name: "suture" },
      spec: rulesSchema.parse(parse(readFileSync(RULES, "utf8"))),
    },
  ];
}
