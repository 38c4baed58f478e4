import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Listens on a free port of this machine. */
export function listen(server: Server): Promise<number> {
  // A server that listens on TCP has an address of this form.
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
  );
}

/** Address of an endpoint whose certificate nobody has signed but itself. */
export async function openUntrusted(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "suture-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-days", "1", "-nodes", "-newkey", "rsa:2048"];
  execFileSync("openssl", ["req", "-x509", ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
    response.end("{}"),
  );
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  return `https://127.0.0.1:${await listen(server)}/v1`;
}
