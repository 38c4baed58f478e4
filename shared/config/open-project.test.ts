import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, inspect } from "node:util";
import { expect, test, it } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { defineConfig } from "./define-config.ts";
import { loadConfig, openProject, Secret, ConfigError } from "./index.ts";

function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test("the environment comes before .env, and .env before the project's file", async () => {
  const settings = { SUTURE_QUEUE_LIMIT: 1234, SUTURE_GATEWAY_PORT: 7001, SUTURE_CONSOLE_PORT: 7002 };
  const env: NodeJS.ProcessEnv = { SUTURE_GATEWAY_PORT: "9001" };
  const folder = project({
    ".env": "SUTURE_GATEWAY_PORT=8001\nSUTURE_CONSOLE_PORT=8002\n",
    "suture.config.mjs": `export default { teams: "mine", settings: ${JSON.stringify(settings)} };`,
  });
  expect(await openProject(folder, env)).toBe(true);
  const config = loadConfig(env);
  expect(config).toMatchObject({ gatewayPort: 9001, consolePort: 8002, queueLimit: 1234 });
  expect(config.teamsDir).toMatch(/\/mine$/);
});

test("a folder without the file is no project, and its .env is left alone", async () => {
  const env: NodeJS.ProcessEnv = {};
  expect(await openProject(project({ ".env": "SUTURE_QUEUE_LIMIT=77\n" }), env)).toBe(false);
  expect(env).toEqual({});
});

test("what is no configuration is refused by the file's name", async () => {
  const folder = project({ "suture.config.mjs": "export default { team: 1 };" });
  await expect(openProject(folder, {})).rejects.toThrow(/suture\.config\.ts has a default export/);
});

test("secrets and names that mean nothing are refused, a secret's value unsaid", () => {
  const settings = { OPENAI_API_KEY: "sk-12345", SUTURE_QUEU_LIMIT: 1 };
  // As JavaScript would have it: the type refuses the misspelt name.
  const declare = () => defineConfig({ settings });
  expect(declare).toThrow(/OPENAI_API_KEY is a secret[^]*SUTURE_QUEU_LIMIT is no setting/);
  expect(declare).not.toThrow(/sk-12345/);
});

it("gives its value to who asks and to no way of printing", () => {
  const secret = new Secret("hush");
  expect(secret.reveal()).toBe("hush");
  const printed = [
    String(secret),
    JSON.stringify({ secret }),
    inspect({ a: { secret } }, { depth: 9, showHidden: true }),
    format("%s %j %o", secret, secret, secret),
  ];
  for (const text of printed) {
    expect(text).toContain("[secret]");
    expect(text).not.toContain("hush");
  }
});

const SECRET = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
const URL = "https://ops.example.org/hook?token=hush";

function problemOf(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  try {
    loadConfig({ SUTURE_WEBHOOKS: text });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ problem }) => problem).join("; ");
    throw error;
  }
  return "";
}

it("reads who is told of what, and shows neither the address nor the secret by accident", () => {
  const list = [
    { url: URL, secret: SECRET },
    {
      url: "http://127.0.0.1:9000/",
      secret: [SECRET, SECRET],
      events: ["producer.failing"],
      format: "cloudevents",
    },
  ];
  const { webhooks } = loadConfig({ SUTURE_WEBHOOKS: JSON.stringify(list) });
  expect(
    webhooks.map(({ url, secrets, ...more }) => ({ url: url.reveal(), secrets: secrets.length, ...more })),
  ).toEqual([
    { url: URL, secrets: 1, events: null, redact: true, format: "standard" },
    {
      url: "http://127.0.0.1:9000/",
      secrets: 2,
      events: ["producer.failing"],
      redact: true,
      format: "cloudevents",
    },
  ]);
  expect(inspect(webhooks) + JSON.stringify(webhooks)).not.toMatch(/hush|whsec_/);
  expect(loadConfig({}).webhooks).toEqual([]);
});

it.each([
  ["no list", { url: URL, secret: SECRET }],
  ["no JSON", "[{]"],
  ["another protocol", [{ url: "ftp://a/b", secret: SECRET }]],
  ["no address", [{ url: "ops", secret: SECRET }]],
  ["a login in the address", [{ url: "https://ada:opensesame@a/b", secret: SECRET }]],
  ["a secret of another form", [{ url: URL, secret: "hunter2hunter2hunter2hunter2hunter2" }]],
  ["a secret that is too short", [{ url: URL, secret: `whsec_${Buffer.alloc(23).toString("base64")}` }]],
  ["a secret that is too long", [{ url: URL, secret: `whsec_${Buffer.alloc(65).toString("base64")}` }]],
  ["no secret", [{ url: URL, secret: [] }]],
  ["more secrets than a rotation needs", [{ url: URL, secret: [SECRET, SECRET, SECRET, SECRET] }]],
  ["another form", [{ url: URL, secret: SECRET, format: "xml" }]],
  ["an unknown event", [{ url: URL, secret: SECRET, events: ["everything"] }]],
  ["no event at all", [{ url: URL, secret: SECRET, events: [] }]],
  ["a field that is not known", [{ url: URL, secret: SECRET, event: "producer.failing" }]],
  [
    "an address twice",
    [
      { url: URL, secret: SECRET },
      { url: URL, secret: SECRET },
    ],
  ],
])("refuses %s, in words that hold no secret", (_what, value) => {
  const problem = problemOf(value);
  expect(problem).not.toBe("");
  expect(problem).not.toMatch(/hush|whsec_[A-Za-z0-9+/]{8}|hunter2|opensesame/);
});
