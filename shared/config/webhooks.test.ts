import { inspect } from "node:util";
import { expect, it } from "vitest";
import { ConfigError, loadConfig } from "./index.ts";

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
