import { expect, test } from "vitest";
import { Secret } from "#shared/config";
import { CALLBACK_PATH, OpenIdProvider } from "./api/login/openid-provider.ts";
import { CLIENT } from "./testing/openid-provider-process.ts";
import { startOpenIdProvider } from "./testing/start-openid-provider.ts";
import { startTestConsole } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

/** Logins by OpenID Connect at a real provider, of a console behind a proxy that takes the TLS away. */

const PUBLIC = "https://console.example.org";
const TLS = { "x-forwarded-proto": "https" } as const;

const startProvider = (): Promise<string> => startOpenIdProvider(PUBLIC + CALLBACK_PATH);

async function openConsole(issuer: string): Promise<TestConsole> {
  const openId = new OpenIdProvider({
    issuer,
    clientId: CLIENT.id,
    clientSecret: new Secret(CLIENT.secret),
    scopes: "openid email",
    claim: "groups",
    roles: [
      { role: "viewer", value: "support" },
      { role: "viewer", value: "unverified" },
      { role: "operator", value: "oncall" },
      { role: "admin", value: "platform" },
    ],
    publicUrl: PUBLIC,
  });
  return startTestConsole({}, [], undefined, undefined, { openId });
}

interface Asked {
  readonly method?: string;
  readonly body?: string | URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser's cookies, whatever place they are for. */
class Browser {
  readonly cookies = new Map<string, string>();
  readonly console: TestConsole;

  constructor(console: TestConsole) {
    this.console = console;
  }

  /** Asks for a page, as the proxy passes it on; follows nothing. */
  async open(address: string, init: Asked = {}): Promise<Response> {
    const isOurs = address.startsWith("/") || address.startsWith(PUBLIC);
    const url = isOurs ? this.console.url + address.replace(PUBLIC, "") : address;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...init.headers, cookie, ...(isOurs ? TLS : {}) };
    const answer = await fetch(url, { redirect: "manual", ...init, headers });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** Goes through the provider's pages under a name. @returns The address that leads back to the console. */
  async walk(name: string, from = "/login/openid"): Promise<string> {
    let at = (await this.open(from)).headers.get("location") ?? "";
    const provider = new URL(at).origin;
    for (let steps = 0; !at.startsWith(PUBLIC); steps += 1) {
      expect(steps).toBeLessThan(12);
      const answer = await this.open(at);
      const next = answer.headers.get("location");
      if (next !== null) {
        at = new URL(next, provider).href;
        continue;
      }
      const page = await answer.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
      const form = new URLSearchParams({ prompt, login: name, password: "x" });
      const sent = await this.open(at, { method: "POST", body: form });
      at = new URL(sent.headers.get("location") ?? "", provider).href;
    }
    return at;
  }

  async who(): Promise<unknown> {
    return (await this.open("/v1/session")).json();
  }
}

test("people come in by their provider with the role of their group, and the audit names them", async () => {
  const console = await openConsole(await startProvider());
  expect(await (await console.send("/v1/login", { key: null })).json()).toEqual({
    openid: { host: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
  });
  for (const [name, role] of [
    ["support-vera", "viewer"],
    ["oncall-olga", "operator"],
    ["platform-ada", "admin"],
  ] as const) {
    const browser = new Browser(console);
    const back = await browser.walk(name, "/login/openid?back=/inbox?open=1");
    const arrived = await browser.open(back);
    expect(arrived.headers.get("location")).toBe("/inbox?open=1");
    const cookie = arrived.headers.getSetCookie().find((one) => one.startsWith("__Host-suture_session="));
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
    expect([...browser.cookies.keys()]).not.toContain("__Host-suture_login");
    expect(await browser.who()).toMatchObject({ name: `${name}@example.com`, role });
    const pause = async (origin: string): Promise<number> => {
      const headers = { "content-type": "application/json", origin };
      return (await browser.open("/v1/queues/con-book/pause", { method: "POST", body: "{}", headers }))
        .status;
    };
    expect(await pause("https://evil.example")).toBe(403);
    expect(await pause(console.url)).toBe(role === "viewer" ? 403 : 200);
  }
  const { audit } = (await (await console.send("/v1/audit")).json()) as {
    audit: { by: string; action: string }[];
  };
  expect(audit.filter(({ action }) => action === "log_in").map(({ by }) => by)).toEqual([
    "platform-ada@example.com",
    "oncall-olga@example.com",
    "support-vera@example.com",
  ]);
});

test("who has no role is not let in, which is written down; an address that nobody verified is no name", async () => {
  const console = await openConsole(await startProvider());
  const stranger = new Browser(console);
  const refused = await stranger.open(await stranger.walk("marketing-mo"));
  expect(refused.headers.get("location")).toBe("/login?refused=role");
  expect((await stranger.open("/v1/session")).status).toBe(401);
  const { refusals } = (await (await console.send("/v1/refusals")).json()) as { refusals: unknown[] };
  expect(refusals).toContainEqual(
    expect.objectContaining({ by: "marketing-mo@example.com", code: "LOGIN_WITHOUT_ROLE", status: 403 }),
  );
  const unverified = new Browser(console);
  await unverified.open(await unverified.walk("unverified-ada"));
  expect(await unverified.who()).toMatchObject({ name: "openid:unverified-ada", role: "viewer" });
});

test("a code of another browser, a code used twice, a changed state and no login at all open nothing", async () => {
  const console = await openConsole(await startProvider());
  const [victim, attacker] = [new Browser(console), new Browser(console)];
  const codeOfAttacker = await attacker.walk("platform-eve");
  await victim.open("/login/openid");
  for (const address of [
    codeOfAttacker,
    codeOfAttacker.replace(/state=[^&]+/, "state=x"),
    "/login/openid/callback",
    "/login/openid/callback?error=access_denied&error_description=%3Cscript%3E",
  ]) {
    const { headers } = await victim.open(address);
    expect(headers.get("location"), address).toMatch(/^\/login\?refused=(?:provider|late)$/);
  }
  expect((await victim.open("/v1/session")).status).toBe(401);
  const kept = new Map(attacker.cookies);
  expect((await attacker.open(codeOfAttacker)).headers.get("location")).toBe("/");
  const twice = new Browser(console);
  for (const [name, value] of kept) if (name.includes("suture")) twice.cookies.set(name, value);
  expect((await twice.open(codeOfAttacker)).headers.get("location")).toBe("/login?refused=provider");
  expect((await twice.open("/v1/session")).status).toBe(401);
});

test("leads to no other site, and says that a provider is away", async () => {
  const console = await openConsole(await startProvider());
  for (const back of ["//evil.example", "https://evil.example", "/\\evil.example"]) {
    const browser = new Browser(console);
    const address = await browser.walk("oncall-olga", `/login/openid?back=${encodeURIComponent(back)}`);
    expect((await browser.open(address)).headers.get("location")).toBe("/");
  }
  const away = await openConsole("http://127.0.0.1:1");
  const { headers, status } = await new Browser(away).open("/login/openid");
  expect([status, headers.get("location")]).toEqual([302, "/login?refused=provider"]);
});

test("without a provider there is no such login", async () => {
  const console = await startTestConsole();
  expect(await (await console.send("/v1/login", { key: null })).json()).toEqual({ openid: null });
  expect((await console.send("/login/openid", { key: null })).status).toBe(404);
});
