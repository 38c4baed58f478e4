import type { Devtools, Told } from "./devtools.ts";
import { Part } from "./part.ts";

/** One node of what a screen reader would be told. */
interface Spoken {
  readonly ignored?: boolean;
  readonly role?: { readonly value?: string };
  readonly name?: { readonly value?: string };
  readonly backendDOMNodeId?: number;
}

/** Of the window, in px. */
const SIZE = { width: 1360, height: 900 };

/** The machine may be busy: a story fails on what does not happen, never on when it does. */
const WAIT_MS_MAX = 120_000;
const LOOK_EVERY_MS = 60;

/** A page of a real browser. Parts are found as a person who listens finds them: by role and name. */
export class Page {
  readonly devtools: Devtools;
  readonly session: string;
  private readonly context: string;
  /** What scripts threw, and what the page's own policy refused. */
  readonly complaints: string[] = [];

  private constructor(devtools: Devtools, session: string, context: string) {
    this.devtools = devtools;
    this.session = session;
    this.context = context;
    devtools.listen((from, method, params) => {
      if (from === session) this.note(method, params);
    });
  }

  /** @param context - Whose cookies it has. Default: nobody's. */
  static async open(devtools: Devtools, context?: string): Promise<Page> {
    const { browserContextId } =
      context === undefined
        ? await devtools.ask("Target.createBrowserContext")
        : { browserContextId: context };
    const { targetId } = await devtools.ask("Target.createTarget", {
      url: "about:blank",
      browserContextId,
    });
    const { sessionId } = await devtools.ask("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(devtools, String(sessionId), String(browserContextId));
    for (const domain of ["Page", "Runtime", "Log", "DOM", "Accessibility", "Network"])
      await page.ask(`${domain}.enable`);
    await page.ask("Emulation.setDeviceMetricsOverride", { ...SIZE, deviceScaleFactor: 1, mobile: false });
    return page;
  }

  ask(method: string, params: Told = {}): Promise<Told> {
    return this.devtools.ask(method, params, { session: this.session });
  }

  /** Another page of the same person. */
  beside(): Promise<Page> {
    return Page.open(this.devtools, this.context);
  }

  async goTo(url: string): Promise<void> {
    await this.ask("Page.navigate", { url });
  }

  /** The value of an expression in the page, as JSON. */
  async evaluate(expression: string): Promise<unknown> {
    const answer = await this.ask("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    // The protocol's form of a result.
    const { result, exceptionDetails } = answer as {
      result?: { value?: unknown };
      exceptionDetails?: unknown;
    };
    if (exceptionDetails !== undefined)
      throw new Error(`the page threw: ${JSON.stringify(exceptionDetails)}`);
    return result?.value;
  }

  /** What is written on the page. */
  async text(): Promise<string> {
    return String(await this.evaluate("document.body?.innerText ?? ''"));
  }

  /** Waits until it is written on the page. */
  async reads(wanted: string | RegExp): Promise<void> {
    await this.until(async () => matches(await this.text(), wanted), `“${String(wanted)}” to be read`);
  }

  /** Waits for a part with this role and name, the first in the page's order. */
  async part(role: string, name: string | RegExp = /(?:)/): Promise<Part> {
    const found = await this.until(
      async () => (await this.parts(role, name))[0] ?? null,
      `a ${role} called ${String(name)}`,
    );
    return found;
  }

  /** Parts with this role and name, as they are now. */
  async parts(role: string, name: string | RegExp = /(?:)/): Promise<Part[]> {
    const { nodes } = await this.ask("Accessibility.getFullAXTree");
    // The protocol's form of an accessibility tree.
    const spoken = nodes as readonly Spoken[];
    return spoken
      .filter((node) => node.ignored !== true && node.role?.value === role)
      .filter((node) => isCalled(node.name?.value ?? "", name))
      .flatMap((node) =>
        node.backendDOMNodeId === undefined
          ? []
          : [new Part((method, params) => this.ask(method, params), node.backendDOMNodeId)],
      );
  }

  async click(role: string, name: string | RegExp): Promise<void> {
    await this.until(async () => (await this.part(role, name)).click(), `a ${role} to be pressed`);
  }

  /** Writes into a field, again where the page told it anew meanwhile. */
  async write(name: string | RegExp, text: string, role = "textbox"): Promise<void> {
    await this.until(async () => (await this.part(role, name)).write(text), `${String(name)} to be written`);
  }

  async press(key: string): Promise<void> {
    const code = key.length === 1 ? key.toUpperCase().charCodeAt(0) : (CODES[key] ?? 0);
    const about = { key, windowsVirtualKeyCode: code, ...(key.length === 1 ? { text: key } : {}) };
    await this.ask("Input.dispatchKeyEvent", { type: "keyDown", ...about });
    await this.ask("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode: code });
  }

  /** PNG of what is seen. */
  async picture(): Promise<Buffer> {
    const { data } = await this.ask("Page.captureScreenshot", { format: "png", optimizeForSpeed: false });
    return Buffer.from(String(data), "base64");
  }

  /** Asks until it is so, and says what was on the page if it never is. */
  async until<Value>(ask: () => Promise<Value | null | false>, what: string): Promise<Value> {
    const deadline = performance.now() + WAIT_MS_MAX;
    while (performance.now() < deadline) {
      const answer = await askCalmly(ask);
      if (answer !== null && answer !== false) return answer;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    const seen = await this.text().catch(() => "(nothing)");
    throw new Error(`waited for ${what}; the page reads:\n${seen}\n${this.complaints.join("\n")}`);
  }

  private note(method: string, params: Told): void {
    if (method === "Runtime.exceptionThrown")
      this.complaints.push(JSON.stringify(params["exceptionDetails"]));
    if (method !== "Log.entryAdded") return;
    // The protocol's form of a log entry.
    const { entry } = params as { entry?: { source?: string; level?: string; text?: string } };
    if (entry?.source === "security" || entry?.source === "violation") this.complaints.push(entry.text ?? "");
  }
}

const CODES: Readonly<Record<string, number>> = { Enter: 13, Escape: 27, Tab: 9 };

/** A page that is being replaced has no tree for a moment. */
async function askCalmly<Value>(ask: () => Promise<Value | null | false>): Promise<Value | null | false> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && /context|node|navigat|detached/i.test(error.message)) return null;
    throw error;
  }
}

function isCalled(own: string, name: string | RegExp): boolean {
  return typeof name === "string" ? own === name : name.test(own);
}

function matches(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
}
