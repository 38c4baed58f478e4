import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Metrics } from "#shared/telemetry";
import { serveHealth } from "./serve-health.ts";

test("says which variable to change where its port is taken", async () => {
  const other = createServer();
  onTestFinished(() => new Promise((resolve) => other.close(() => resolve())));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  // A server that listens on a host and port has an address of this form.
  const { port } = other.address() as AddressInfo;
  const health = { host: "127.0.0.1", port, metrics: new Metrics(), judge: () => Promise.resolve("ready") };
  await expect(serveHealth(health)).rejects.toMatchObject({
    code: "PORT_TAKEN",
    failureClass: "handler_error",
    message: expect.stringContaining(String(port)),
    remedy: expect.stringContaining("SUTURE_HEALTH_PORT"),
  });
});
