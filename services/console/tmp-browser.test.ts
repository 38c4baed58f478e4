import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile, mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { loadConfig } from "#shared/config";
import { createModelClient, PRICES_DEFAULT, withBreaker } from "#shared/model";
import { loadTeams } from "#shared/runtime";
import { Store, waitUntilReady } from "#shared/store";
import { createWorld } from "#shared/testing";
import { startRehearsal } from "../rehearsal/server.ts";
import { standInsOf } from "../rehearsal/stand-ins.ts";
import { startSurgeon } from "../surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../surgeon/surgery.ts";
import { CONSOLE_BOUNDS_DEFAULT } from "./bounds.ts";
import { startConsole } from "./server.ts";
import { SECRETS, waitFor } from "./testing/start-test-console.ts";
import { setTimeout as pause } from "node:timers/promises";

class Page {
  private id = 0;
  private readonly pending = new Map<number, (v: any) => void>();
  readonly events: any[] = [];
  private readonly socket: WebSocket;
  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener("message", (m) => {
      const d = JSON.parse(String(m.data));
      if (d.id !== undefined) this.pending.get(d.id)?.(d);
      else this.events.push(d);
    });
  }
  call(method: string, params: any = {}): Promise<any> {
    const id = ++this.id;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((r) => this.pending.set(id, (d) => r(d.result ?? d)));
  }
  async eval(expression: string): Promise<any> {
    const r = await this.call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (r.exceptionDetails) throw new Error(JSON.stringify(r.exceptionDetails).slice(0, 500));
    return r.result?.value;
  }
  async shot(name: string): Promise<void> {
    const { data } = await this.call("Page.captureScreenshot", { format: "png" });
    await writeFile(`/tmp/console/${name}.png`, Buffer.from(data, "base64"));
  }
}

test("browser", { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "suture-shot-"));
  const [team] = await loadTeams("services/agents");
  if (team === undefined) throw new Error("no team");
  const rehearsal = await startRehearsal({ port: 0, dataDir: folder, findStandIn: standInsOf([team]), faultRate: 0.3, seed: 3, hangMsMax: 300 });
  process.env["SUTURE_SANDBOX_URL"] = rehearsal.url;
  const model = createModelClient({ baseUrl: `${rehearsal.url}/v1`, apiKey: "rehearsal", models: { router: "rehearsal-router", worker: "rehearsal-worker", surgeon: "rehearsal-surgeon" }, timeoutMs: 3000, isRehearsal: true });
  const world = createWorld(team);
  await world.start({ model });
  const surgeon = startSurgeon({ store: world.store, keyring: world.keyring, teams: [team], model: withBreaker(model), prices: PRICES_DEFAULT, logger: pino({ level: "silent" }), limits: SURGERY_LIMITS_DEFAULT });
  const store = new Store({ ...world.store.options, role: "producer" });
  await waitUntilReady(store.redis, 5000);
  await mkdir(join(folder, "keys"));
  const loginFile = join(folder, "keys", "console-login");
  await writeFile(loginFile, "t".repeat(48));
  const running = await startConsole(
    { store, teams: [team], apiKeys: loadConfig({ SUTURE_API_KEYS: `vera:viewer:${SECRETS.viewer},ada:admin:${SECRETS.admin}` }).apiKeys ?? [], isRehearsal: true, logger: pino({ level: "silent" }), loginFile, sessionsFile: join(folder, "s.json"), bounds: CONSOLE_BOUNDS_DEFAULT },
    { host: "127.0.0.1", port: 0 },
  );
  const lines = (await readFile("services/agents/support/samples/dead-letters.jsonl", "utf8")).trim().split("\n").map((l) => JSON.parse(l));
  for (const l of lines) {
    const version = team.agents.get(l.target_agent)?.version ?? 1;
    await world.submit(l.data_payload, { to: `${l.target_agent}@${version}`, contract: l.contract, originalQuery: l.original_query, original_query: l.original_query } as never).catch((e) => console.log(l.id, e.message));
  }
  const evil = `<img src=x onerror="window.__xss=1"><script>window.__xss=2</script>`;
  await world.submit({ order_id: evil, amount: evil, reason: evil, [evil]: evil, customer_email: 5 }, { to: `refunds@${team.agents.get("refunds")?.version}`, contract: "refunds.request@2" } as never);
  await pause(6000);
  const chrome = spawn("chromium", ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=9333", `--user-data-dir=${folder}/profile`, "--window-size=1440,1000", "about:blank"], { stdio: "ignore" });
  try {
    const targets = await waitFor(async () => (await fetch("http://127.0.0.1:9333/json").then((r) => r.json()).catch(() => null)) as any);
    const socket = new WebSocket(targets.find((t: any) => t.type === "page").webSocketDebuggerUrl);
    await new Promise((r) => socket.addEventListener("open", r));
    const page = new Page(socket);
    await page.call("Page.enable"); await page.call("Runtime.enable"); await page.call("Log.enable");
    await page.call("Page.navigate", { url: `${running.url}/login#${"t".repeat(48)}` });
    await waitFor(async () => (await page.eval("document.querySelectorAll('.case').length")) > 0);
    await pause(800);
    await page.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
    await page.shot("list-dark");
    console.log(await page.eval("[...document.querySelectorAll('.case')].map(c=>c.innerText.replaceAll('\\n',' | ')).join('\\n')"));
    // walk every case, looking for scripts that ran
    const hrefs: string[] = await page.eval("[...document.querySelectorAll('.case')].map(c=>c.hash)");
    let best = "";
    for (const hash of hrefs) {
      await page.eval(`location.hash=${JSON.stringify(hash)}`);
      await pause(350);
      const info = await page.eval("({t:document.getElementById('detail').innerText.length, obj:document.querySelectorAll('[data-mark=objection]').length, evil:document.getElementById('detail').innerText.includes('onerror'), img:document.querySelectorAll('#detail img, #detail script').length, bad:document.querySelector('#detail > .bad')?.innerText ?? ''})");
      console.log(hash.slice(0, 24), JSON.stringify(info));
      if (info.evil) await page.shot("evil");
      if (info.obj > 0 && best === "") best = hash;
      expect(info.img).toBe(0);
    }
    expect(await page.eval("window.__xss ?? 0")).toBe(0);
    await page.eval(`location.hash=${JSON.stringify(best || hrefs[0])}`);
    await pause(900);
    await page.shot("case-dark");
    await page.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "light" }] });
    await page.shot("case-light");
    await page.call("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 2, mobile: true });
    await pause(300);
    await page.shot("phone-case");
    console.log("overflow", await page.eval("document.documentElement.scrollWidth + ' of ' + innerWidth"));
    await page.eval("location.hash=''"); await pause(600);
    await page.shot("phone-list");
    console.log("overflow", await page.eval("document.documentElement.scrollWidth + ' of ' + innerWidth"));
    await page.call("Emulation.clearDeviceMetricsOverride");
    const fp = await page.eval("document.querySelector('.group')?.click(); new Promise(r=>setTimeout(()=>r(location.hash),900))");
    console.log("group", fp);
    await page.shot("group");
    await page.call("Page.navigate", { url: `${running.url}/queues` });
    await pause(2500);
    await page.shot("queues");
    for (const e of page.events.filter((e) => /exceptionThrown|entryAdded|consoleAPICalled/.test(e.method))) console.log(JSON.stringify(e.params).slice(0, 400));
    socket.close();
  } finally {
    chrome.kill();
    await running.stop(100);
    await surgeon.stop(0);
    await rehearsal.close();
    await store.close();
    await pause(300);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
