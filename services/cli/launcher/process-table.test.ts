import { expect, it, vi } from "vitest";
import { loadConfig } from "#shared/config";
import { gatewaySpec, withHealthPort } from "./process-table.ts";
import type { Deployment } from "./process-table.ts";

const deploymentWith = (env: Record<string, string>): Deployment => ({
  config: loadConfig(env),
  teams: [],
  shared: {},
  apiKeys: null,
});
const spec = { name: "surgeon", script: "", args: [], env: { A: "1" }, logFile: "" };

it("gives each process of a machine a health port of its own, where one is configured", () => {
  const nine = deploymentWith({ SUTURE_HEALTH_PORT: "9090" });
  expect([0, 1, 2].map((index) => withHealthPort(nine, spec, index).env)).toEqual(
    ["9090", "9091", "9092"].map((port) => ({ A: "1", SUTURE_HEALTH_PORT: port })),
  );
  expect(withHealthPort(deploymentWith({}), spec, 2)).toEqual(spec);
  const free = withHealthPort(deploymentWith({ SUTURE_HEALTH_PORT: "0" }), spec, 2);
  expect(free.env).toEqual({ A: "1", SUTURE_HEALTH_PORT: "0" });
});

it("lets no other process inherit that port", () => {
  vi.stubEnv("SUTURE_HEALTH_PORT", "9090");
  expect(gatewaySpec(deploymentWith({ SUTURE_KEYS: `@${import.meta.filename}` })).env).not.toHaveProperty(
    "SUTURE_HEALTH_PORT",
  );
});
