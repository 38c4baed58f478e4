import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { ConfigError, loadConfig } from "./index.ts";
import { VARIABLES } from "./variables.ts";

function problemsOf(
  env: NodeJS.ProcessEnv,
): readonly { variable: string; problem: string; example: string }[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function fileWith(text: string): string {
  const dir = temporaryFolder();
  writeFileSync(join(dir, "file"), text);
  return join(dir, "file");
}

describe("loadConfig", () => {
  it("needs nothing to be set, and then rehearses on the loopback", () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      redisUrl: null,
      gatewayHost: "127.0.0.1",
      gatewayPort: 8080,
      consolePort: 8081,
      isRehearsal: true,
      modelWorker: "rehearsal-worker",
      sandboxUrl: "http://127.0.0.1:8082",
      rehearsalFaultRate: 0.15,
      surgeonCostPerCase: 0.1,
      apiKeys: null,
      otlpEndpoint: null,
    });
    expect(config.dataDir).toBe(join(process.cwd(), ".suture"));
    expect(Object.isFrozen(config)).toBe(true);
  });

  it("refuses a crash point in production, and takes one elsewhere", () => {
    const SUTURE_CRASH_POINT = "W2:after_take_before_work kill 1";
    expect(loadConfig({ SUTURE_CRASH_POINT }).crashPoint).toBe(SUTURE_CRASH_POINT);
    expect(problemsOf({ SUTURE_CRASH_POINT, NODE_ENV: "production" })).toEqual([
      expect.objectContaining({ variable: "SUTURE_CRASH_POINT" }),
    ]);
  });

  it("takes an address of traces with {trace_id} behind its host, and no other", () => {
    for (const good of [
      "https://tempo.example.org/trace/{trace_id}",
      "http://[::1]:16686/trace/{trace_id}",
      "https://grafana.example.org?left={trace_id}&orgId=1",
    ]) {
      expect(loadConfig({ SUTURE_TRACE_URL: good }).traceUrl).toBe(good);
    }
    expect(loadConfig({ SUTURE_TRACE_URL: "" }).traceUrl).toBeNull();
    for (const bad of [
      "https://tempo.example.org/trace/",
      "javascript:alert(1)//{trace_id}",
      "https://{trace_id}.example.org/",
      "https://ada:secret@tempo.example.org/{trace_id}",
      "https://tempo.example.org/a b/{trace_id}",
    ]) {
      expect(problemsOf({ SUTURE_TRACE_URL: bad }), bad).toMatchObject([{ variable: "SUTURE_TRACE_URL" }]);
    }
  });

  it("names all bad variables at once, each with its problem and an example", () => {
    const env = {
      SUTURE_GATEWAY_PORT: "80800",
      LOG_LEVEL: "loud",
      SUTURE_REHEARSAL_FAULT_RATE: "1.5",
      SUTURE_LOCK_MS: "5s",
    };
    expect(problemsOf(env)).toEqual([
      { variable: "SUTURE_GATEWAY_PORT", problem: "must be a whole number from 0 to 65535", example: "8080" },
      { variable: "SUTURE_REHEARSAL_FAULT_RATE", problem: "must be a number from 0 to 1", example: "0.15" },
      { variable: "SUTURE_LOCK_MS", problem: "must be a whole number from 100 to 600000", example: "5000" },
      { variable: "LOG_LEVEL", problem: expect.stringContaining("must be one of fatal"), example: "info" },
    ]);
    expect(() => loadConfig(env)).toThrow(
      "SUTURE_LOCK_MS must be a whole number from 100 to 600000, e.g. SUTURE_LOCK_MS=5000",
    );
  });

  it.each(["0x10", "1e3", "-1", "+5", "5.0", " 5 0", "NaN", "Infinity", "٥", "9".repeat(400)])(
    "refuses %j as a whole number",
    (text) => {
      expect(problemsOf({ SUTURE_QUEUE_LIMIT: text })).toHaveLength(1);
    },
  );

  it.each([
    ["below", "1023", 1],
    ["at", "1024", 0],
    ["at the upper", "67108864", 0],
    ["above", "67108865", 1],
  ])("checks a bound: %s the edge", (_where, text, problems) => {
    expect(problemsOf({ SUTURE_BODY_BYTES_MAX: text })).toHaveLength(problems);
  });

  it("refuses settings that contradict each other, and lets several ports be chosen freely", () => {
    expect(problemsOf({ SUTURE_CONSOLE_PORT: "8080" })).toMatchObject([{ variable: "SUTURE_CONSOLE_PORT" }]);
    expect(problemsOf({ SUTURE_RETRY_DELAY_MS: "2000", SUTURE_RETRY_DELAY_MS_MAX: "1000" })).toHaveLength(1);
    expect(
      problemsOf({ SUTURE_GATEWAY_PORT: "0", SUTURE_CONSOLE_PORT: "0", SUTURE_REHEARSAL_PORT: "0" }),
    ).toEqual([]);
  });
});

describe("logins by OpenID Connect", () => {
  const whole = {
    SUTURE_OIDC_ISSUER: "https://login.example.org/realms/main/",
    SUTURE_OIDC_CLIENT_ID: "suture-console",
    SUTURE_CONSOLE_PUBLIC_URL: "https://console.example.org/",
    SUTURE_OIDC_ROLES: "admin=platform team,viewer=*",
  };

  it("are off without an issuer, and have its address as it is written", () => {
    expect(loadConfig({}).openId).toBeNull();
    expect(loadConfig(whole).openId).toMatchObject({
      issuer: "https://login.example.org/realms/main/",
      publicUrl: "https://console.example.org",
      claim: "groups",
      roles: [
        { role: "admin", value: "platform team" },
        { role: "viewer", value: "*" },
      ],
    });
  });

  it.each(["SUTURE_OIDC_CLIENT_ID", "SUTURE_CONSOLE_PUBLIC_URL", "SUTURE_OIDC_ROLES"])("need %s", (name) => {
    expect(problemsOf({ ...whole, [name]: "" })).toMatchObject([{ variable: name }]);
  });

  it.each([
    ["SUTURE_OIDC_ISSUER", "http://login.example.org"],
    ["SUTURE_OIDC_ISSUER", "https://user:secret@login.example.org"],
    ["SUTURE_OIDC_ROLES", "owner=platform"],
    ["SUTURE_OIDC_ROLES", "admin="],
    ["SUTURE_OIDC_SCOPES", "email"],
  ])("refuse %s=%s", (name, value) => {
    expect(problemsOf({ ...whole, [name]: value }).map(({ variable }) => variable)).toContain(name);
  });
});

describe("REDIS_URL", () => {
  it.each([
    "redis://127.0.0.1:6379",
    "redis://localhost",
    "rediss://user:p%40ss@cache.example.com:6380/2",
    "redis://[::1]:6379",
    "redis-cluster://a:7000,b:7001,c:7002",
    "redis-sentinel://:secret@s1:26379,s2:26379/mymaster",
    "redis+unix://:p%40ss@/run/redis/my%20redis.sock?db=2",
    "unix:///run/redis.sock",
  ])("may be %s", (url) => {
    expect(loadConfig({ REDIS_URL: url }).redisUrl?.reveal()).toBe(url);
  });

  it.each([
    "http://a:1",
    "127.0.0.1:6379",
    "redis://",
    "redis://a:0",
    "redis://a:65536",
    "redis://a,b",
    "redis://a/x",
    "redis://a b",
    "redis+unix://",
    "redis+unix://host/run/redis.sock",
    "unix:///run/redis.sock?db=x",
    "unix:///run/redis.sock?db=1&db=2",
    "unix:///run/%zz.sock",
  ])("may not be %j", (url) => {
    expect(problemsOf({ REDIS_URL: url })).toMatchObject([{ variable: "REDIS_URL" }]);
  });
});

describe("several Redis", () => {
  const urls = "redis://a:1 rediss://:p@b:2";

  it("are named in one list, the first of which is the one Redis of those who need one", () => {
    const config = loadConfig({ SUTURE_REDIS_URLS: urls });
    expect(config.redisUrls.map((url) => url.reveal())).toEqual(urls.split(" "));
    expect(config.redisUrl?.reveal()).toBe("redis://a:1");
    expect(loadConfig({ REDIS_URL: "redis-cluster://a:1,b:2", SUTURE_SHARDS: "4" }).shards).toBe(4);
  });

  it.each([
    [{ SUTURE_REDIS_URLS: "redis://a:1 nowhere" }, "SUTURE_REDIS_URLS"],
    [{ SUTURE_REDIS_URLS: urls, REDIS_URL: "redis://other:1" }, "REDIS_URL"],
    [{ SUTURE_REDIS_URLS: urls, SUTURE_SHARDS: "2" }, "SUTURE_SHARDS"],
    [{ SUTURE_SHARDS: "257" }, "SUTURE_SHARDS"],
  ])("are refused as %j", (set, variable) => {
    expect(problemsOf(set)).toMatchObject([{ variable }]);
  });
});

describe("a secret in a file", () => {
  it.each([
    ["REDIS_URL", "redis://gateway:hushhush@redis:6379", "redisUrl"],
    ["SUTURE_ARCHIVE_URL", "postgresql://suture:hushhush@db/suture?sslmode=verify-full", "archiveUrl"],
    ["OPENAI_API_KEY", "sk-hushhush", "openaiApiKey"],
    ["SUTURE_REDIS_SENTINEL_PASSWORD", "hushhush", "redisSentinelPassword"],
    ["SUTURE_SOURCES_KEY", "hushhush", "sourcesKey"],
  ] as const)("is read for %s, without the line break at its end", (name, secret, field) => {
    expect(loadConfig({ [name]: `@${fileWith(`${secret}\n`)}` })[field]?.reveal()).toBe(secret);
    expect(problemsOf({ [name]: "@nowhere/secret" })).toMatchObject([
      { variable: name, problem: expect.stringContaining("nowhere/secret") },
    ]);
  });

  it("is held to the same rules, and the refusal holds nothing of it", () => {
    const problems = problemsOf({ REDIS_URL: `@${fileWith("http://hushhush:1")}` });
    expect(problems).toMatchObject([{ variable: "REDIS_URL" }]);
    expect(JSON.stringify(problems)).not.toContain("hushhush");
  });
});

describe("SUTURE_API_KEYS", () => {
  const secret = "0123456789abcdef";

  it("reads whose further keys are whose", () => {
    expect(loadConfig({}).people).toEqual(new Map());
    expect(loadConfig({ SUTURE_PEOPLE: "ada-phone=ada,b@x.org=bob" }).people).toEqual(
      new Map([
        ["ada-phone", "ada"],
        ["b@x.org", "bob"],
      ]),
    );
    expect(() => loadConfig({ SUTURE_PEOPLE: "ada-phone" })).toThrow(/SUTURE_PEOPLE must be key=person/);
  });

  it("holds names, scopes and secrets, which may hold colons", () => {
    const { apiKeys } = loadConfig({ SUTURE_API_KEYS: `ada:admin:${secret}, bot:submit:${secret}:x` });
    expect(apiKeys?.map(({ name, scope, secret: held }) => [name, scope, held.reveal()])).toEqual([
      ["ada", "admin", secret],
      ["bot", "submit", `${secret}:x`],
    ]);
  });

  it("may be in a file, one a line, with comments", () => {
    const file = fileWith(`# people\r\nada:admin:${secret}\r\n\r\n bot:viewer:${secret}\n`);
    expect(loadConfig({ SUTURE_API_KEYS: `@${file}` }).apiKeys?.map(({ name }) => name)).toEqual([
      "ada",
      "bot",
    ]);
  });

  it.each([
    ["one part", secret],
    ["two parts", `ada:${secret}`],
    ["an unknown scope", `ada:root:${secret}`],
    ["a short secret", "ada:admin:0123456789abcde"],
    ["no name", `:admin:${secret}`],
    ["a name twice", `ada:admin:${secret},ada:viewer:${secret}`],
    ["a name twice but for its case", `ada:admin:${secret},Ada:viewer:${secret}`],
    ["nothing but commas", ",,"],
    ["a file that is not there", "@nowhere/keys"],
    ["a folder", "@/"],
  ])("is refused with %s, and the message holds no secret", (_what, text) => {
    const problems = problemsOf({ SUTURE_API_KEYS: text });
    expect(problems).toMatchObject([{ variable: "SUTURE_API_KEYS" }]);
    expect(JSON.stringify(problems)).not.toContain(secret.slice(0, 15));
  });
});

describe("the environment as a whole", () => {
  it("gives a config or a ConfigError for any text in any variable, and never shows a secret", () => {
    const secrets = ["OPENAI_API_KEY", "REDIS_URL", "SUTURE_API_KEYS"];
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(VARIABLES)),
        fc.string({ unit: "binary", minLength: 1 }),
        (name, text) => {
          const marked = secrets.includes(name) ? `hushhush${text}` : text;
          try {
            const config = loadConfig({ [name]: marked });
            expect(inspect(config, { depth: 9 }) + JSON.stringify(config)).not.toContain("hushhush");
          } catch (error) {
            expect(error).toBeInstanceOf(ConfigError);
            expect(inspect(error, { depth: 9 })).not.toContain("hushhush");
          }
        },
      ),
    );
  });
});
