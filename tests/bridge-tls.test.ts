import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Secret } from "#shared/config";
import type { BridgeConfig } from "#shared/config";
import { PeerLink } from "../services/bridge/link/peer-link.ts";
import { checkAllDone, openBridgedDeployment } from "./support/bridged-deployment.ts";
import { SECRET } from "./support/two-clusters.ts";

/** An authority with a certificate for bridges, and a stranger that signed its own. */
function makeCertificates(): (name: "bridge" | "stranger") => NonNullable<BridgeConfig["tls"]> {
  const dir = mkdtempSync(join(tmpdir(), "suture-bridge-tls-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const openssl = (...args: string[]): unknown => execFileSync("openssl", args, { cwd: dir, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  for (const name of ["ca", "stranger"]) {
    const files = ["-keyout", `${name}.key`, "-out", `${name}.pem`, "-subj", `/CN=${name}`, "-days", "2"];
    openssl("req", "-x509", ...key, ...files);
  }
  writeFileSync(join(dir, "names"), "subjectAltName=IP:127.0.0.1\n");
  openssl("req", ...key, "-keyout", "bridge.key", "-out", "bridge.csr", "-subj", "/CN=bridge");
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names", "-days", "2"];
  openssl("x509", "-req", "-in", "bridge.csr", ...signed, "-out", "bridge.pem");
  const read = (name: string): string => readFileSync(join(dir, name), "utf8");
  return (name) => ({ cert: read(`${name}.pem`), key: new Secret(read(`${name}.key`)), ca: read("ca.pem") });
}

it("carries over TLS with certificates on both sides, and lets nobody in who shows another one", async () => {
  const certificates = makeCertificates();
  const deployment = await openBridgedDeployment({ config: { tls: certificates("bridge") } });
  const { home, far } = deployment;
  await Promise.all([home.startBridge(), far.startBridge()]);
  await checkAllDone(deployment, [{ task: "t-1", runId: await deployment.submit("t-1") }]);
  const url = `https://127.0.0.1:${far.config.port}`;
  const peer = { cluster: "far", url, agents: [], secrets: [new Secret(SECRET)] };
  const link = new PeerLink(peer, { cluster: "home", tls: certificates("stranger"), requestMs: 3000 });
  onTestFinished(() => link.close());
  await expect(link.post("/v1/news", Buffer.from("{}"), AbortSignal.timeout(5000))).rejects.toMatchObject({
    code: "BRIDGE_PEER_UNREACHABLE",
  });
});
