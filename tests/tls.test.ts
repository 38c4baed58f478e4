import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { loadConfig } from "#shared/config";
import { checkRedisIsFit, Store, storeSettings } from "#shared/store";
import { chooseFreePort } from "../infra/redis/redis-process.ts";
import { openOfficeDeployment } from "./support/office-deployment.ts";
import { startOwnRedis } from "./support/redis-servers.ts";
import { temporaryFolder } from "#shared/testing";

/** An authority with a server's and a client's certificate, and an authority that signed neither. */
function makeCertificates(): string {
  const dir = temporaryFolder();
  const openssl = (line: string): unknown =>
    execFileSync("openssl", line.split(" "), { cwd: dir, stdio: "pipe" });
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
  for (const ca of ["ca", "stranger"])
    openssl(`req -x509 ${key} -keyout ${ca}.key -out ${ca}.pem -subj /CN=${ca} -days 2`);
  for (const name of ["redis.internal", "client"]) {
    openssl(`req ${key} -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`);
    openssl(`x509 -req -in ${name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out ${name}.pem`);
  }
  return dir;
}

async function openTlsRedis() {
  const dir = makeCertificates();
  const tlsPort = await chooseFreePort(null);
  const file = (name: string): string => join(dir, name);
  const files = { "ca-cert": "ca.pem", cert: "redis.internal.pem", key: "redis.internal.key" };
  await startOwnRedis([
    "--tls-port",
    String(tlsPort),
    "--tls-auth-clients",
    "yes",
    ...Object.entries(files).flatMap(([what, name]) => [`--tls-${what}-file`, file(name)]),
  ]);
  const env = {
    REDIS_URL: `rediss://127.0.0.1:${tlsPort}`,
    SUTURE_REDIS_TLS_CA: `@${file("ca.pem")}`,
    SUTURE_REDIS_TLS_CERT: `@${file("client.pem")}`,
    SUTURE_REDIS_TLS_KEY: `@${file("client.key")}`,
    SUTURE_REDIS_TLS_SERVERNAME: "redis.internal",
  };
  return { env, file };
}

function settingsOf(env: Readonly<Record<string, string>>) {
  const config = loadConfig(env);
  if (config.redisUrl === null) throw new Error("no address");
  const { prefix: _, ...settings } = storeSettings(config, config.redisUrl);
  return settings;
}

/** Returns the code of the first error of a connection. */
async function refusalOf(env: Readonly<Record<string, string>>): Promise<string> {
  const refused = Promise.withResolvers<string>();
  const store = new Store({
    ...settingsOf(env),
    prefix: "never",
    role: "producer",
    onError: (error) => refused.resolve("code" in error ? String(error.code) : error.message),
  });
  try {
    return await Promise.race([refused.promise, checkRedisIsFit(store).then(() => "let in")]);
  } finally {
    await store.close();
  }
}

it("works through TLS with an own authority, a client's certificate and a name, as configured", async () => {
  const { env } = await openTlsRedis();
  const { order, end } = await openOfficeDeployment(settingsOf(env));
  await end(await order("sealed"));
  await end(await order("sealed-broken", { broken: true }));
});

it("refuses a server whose authority is unknown or whose certificate bears another name, and is refused unknown", async () => {
  const { env, file } = await openTlsRedis();
  expect(await refusalOf(env)).toBe("let in");
  const { SUTURE_REDIS_TLS_CA: _ca, ...noAuthority } = env;
  expect(await refusalOf(noAuthority)).toBe("SELF_SIGNED_CERT_IN_CHAIN");
  const stranger = { ...env, SUTURE_REDIS_TLS_CA: `@${file("stranger.pem")}` };
  expect(await refusalOf(stranger)).toBe("SELF_SIGNED_CERT_IN_CHAIN");
  const otherName = { ...env, SUTURE_REDIS_TLS_SERVERNAME: "redis.elsewhere" };
  expect(await refusalOf(otherName)).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  expect(await refusalOf(stranger)).toBe("SELF_SIGNED_CERT_IN_CHAIN");
  vi.unstubAllEnvs();
  const { SUTURE_REDIS_TLS_CERT: _cert, SUTURE_REDIS_TLS_KEY: _key, ...anonymous } = env;
  expect(await refusalOf(anonymous)).not.toBe("let in");
});
