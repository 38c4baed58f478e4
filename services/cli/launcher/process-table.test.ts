import { afterEach, expect, it, vi } from "vitest";
import { loadConfig, VARIABLES } from "#shared/config";
import { agentsSpec, serviceSpec, withHealthPort } from "./process-table.ts";
import type { Deployment } from "./process-table.ts";

afterEach(() => void vi.unstubAllEnvs());

const deploymentWith = (env: Record<string, string>): Deployment => ({
  config: loadConfig(env),
  teams: [],
  shared: {},
  apiKeys: null,
});
const spec = { name: "surgeon", script: "", args: [], agents: [], env: { A: "1" }, logFile: "" };

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
  expect(
    serviceSpec(deploymentWith({ SUTURE_KEYS: `@${import.meta.filename}` }), "gateway").env,
  ).not.toHaveProperty("SUTURE_HEALTH_PORT");
});

const SECRETS = {
  REDIS_URL: "redis://:of-redis@127.0.0.1:1",
  SUTURE_REDIS_URLS: "redis://:of-redis@127.0.0.1:1 redis://:of-another-redis@127.0.0.1:2",
  SUTURE_REDIS_SENTINEL_PASSWORD: "of-sentinels",
  SUTURE_ARCHIVE_URL: "postgresql://suture:of-the-archive@127.0.0.1:1/suture",
  SUTURE_ATTACHED_REDIS_URL: "redis://:of-the-attached-queues@127.0.0.1:1",
  SUTURE_API_KEYS: "ada:admin:of-clients-0123456789",
  OPENAI_API_KEY: "sk-of-the-model",
  SUTURE_SOURCES_KEY: "of-the-search-service",
  SUTURE_READER_TOKEN: "a-reader-token",
  SUTURE_OIDC_CLIENT_SECRET: "of-the-provider",
  SUTURE_SHOP_TOKEN: "of-the-shop",
  SUTURE_DESK_TOKEN: "of-the-help-desk",
  SUTURE_CRM_TOKEN: "of-the-crm",
  SUTURE_SMTP_URL: "smtp://shop:of-the-mail-server@127.0.0.1:1",
  SUTURE_IMAP_URL: "imap://shop:of-the-mailbox@127.0.0.1:1",
  SUTURE_WEBHOOKS: `[{"url":"https://example.org","secret":"whsec_${Buffer.alloc(32, 3).toString("base64")}"}]`,
};

it("hands each service the secrets that it needs, and nothing else of the launcher's environment", () => {
  for (const [name, value] of Object.entries(SECRETS)) vi.stubEnv(name, value);
  for (const name of ["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "SSH_AUTH_SOCK", "STRIPE_KEY", "CRM_TOKEN"])
    vi.stubEnv(name, "of-the-person-who-starts-it");
  vi.stubEnv("LOG_LEVEL", "warn");
  const keys = `@${import.meta.filename}`;
  const given = { SUTURE_KEYS: keys, ...SECRETS };
  const deployment = deploymentWith({ ...given, SUTURE_AGENT_VARIABLES: "STRIPE_KEY, CRM_*" });
  const redis = ["REDIS_URL", "SUTURE_REDIS_URLS", "SUTURE_REDIS_SENTINEL_PASSWORD"];
  const specs = {
    gateway: [serviceSpec(deployment, "gateway"), [...redis, "SUTURE_API_KEYS", "SUTURE_ARCHIVE_URL"]],
    surgeon: [
      serviceSpec(deployment, "surgeon"),
      [...redis, "OPENAI_API_KEY", "SUTURE_ARCHIVE_URL", "SUTURE_WEBHOOKS"],
    ],
    console: [
      serviceSpec(deployment, "console"),
      [
        ...redis,
        "OPENAI_API_KEY",
        "SUTURE_API_KEYS",
        "SUTURE_ARCHIVE_URL",
        "SUTURE_ATTACHED_REDIS_URL",
        "SUTURE_OIDC_CLIENT_SECRET",
      ],
    ],
    rehearsal: [serviceSpec(deployment, "rehearsal"), []],
    agents: [
      agentsSpec(deployment, "agents-1", []),
      [
        ...redis,
        "OPENAI_API_KEY",
        "SUTURE_SOURCES_KEY",
        "SUTURE_READER_TOKEN",
        "SUTURE_SHOP_TOKEN",
        "SUTURE_DESK_TOKEN",
        "SUTURE_CRM_TOKEN",
        "SUTURE_SMTP_URL",
        "STRIPE_KEY",
        "CRM_TOKEN",
      ],
    ],
  } as const;
  for (const [service, [told, wanted]] of Object.entries(specs)) {
    const env = told?.env ?? {};
    const watched = [
      ...Object.keys(SECRETS),
      ...Object.keys(process.env).filter((name) => /_(?:KEY|TOKEN|SOCK)$/.test(name)),
    ];
    const seen = watched.filter((name) => env[name] !== undefined && name !== "SUTURE_KEYS");
    expect([service, [...new Set(seen)].toSorted()]).toEqual([service, [...wanted].toSorted()]);
    expect(env).toMatchObject({ LOG_LEVEL: "warn", PATH: process.env["PATH"] });
  }
});

it("knows of every variable whether its text is a secret", () => {
  const told = Object.entries(VARIABLES).filter(([, variable]) => "isSecret" in variable);
  expect(told.map(([name]) => name).toSorted()).toEqual(Object.keys(SECRETS).toSorted());
});
