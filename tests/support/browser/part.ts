import type { Told } from "./devtools.ts";

/** Asks a page, in the browser's protocol. */
export type AskPage = (method: string, params: Told) => Promise<Told>;

/** One part of a page. */
export class Part {
  private readonly ask: AskPage;
  private readonly node: number;

  constructor(ask: AskPage, node: number) {
    this.ask = ask;
    this.node = node;
  }

  /**
   * With the mouse, in its middle: what lies over it is hit instead.
   *
   * @returns whether it was hit. A page that moved meanwhile is missed, and a person would press again.
   */
  async click(): Promise<boolean> {
    const place = await this.call(`function () {
      this.scrollIntoView({ block: "center", inline: "center" });
      globalThis.hitByTest = false;
      // Told anew at the moment of the click, a part is another one at the same place.
      const isLike = (other) => !this.isConnected && other.tagName === this.tagName && other.textContent === this.textContent;
      const note = ({ target }) => (globalThis.hitByTest ||= this.contains(target) || isLike(target));
      document.addEventListener("click", note, { capture: true, once: true });
      const box = this.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }`);
    // What the function above gives.
    const { x, y } = place as { x: number; y: number };
    const about = { x, y, button: "left", clickCount: 1 };
    await this.ask("Input.dispatchMouseEvent", { type: "mousePressed", ...about });
    await this.ask("Input.dispatchMouseEvent", { type: "mouseReleased", ...about });
    // Undefined where the click has led to another page.
    return (await this.call("function () { return globalThis.hitByTest; }").catch(() => true)) !== false;
  }

  /**
   * Puts a text in the place of what is written there, as if typed.
   *
   * @returns whether it stands there. A part that the page told anew meanwhile has not heard of it.
   */
  async write(text: string): Promise<boolean> {
    await this.call("function () { this.focus(); this.select(); }");
    await this.ask("Input.insertText", { text });
    return (
      (await this.call("function (text) { return this.isConnected && this.value === text; }", text)) === true
    );
  }

  /** Of a list to choose from. */
  async choose(value: string): Promise<void> {
    await this.call(
      `function (value) { this.value = value; this.dispatchEvent(new Event("change", { bubbles: true })); }`,
      value,
    );
  }

  async text(): Promise<string> {
    return String(await this.call("function () { return this.innerText ?? this.textContent; }"));
  }

  async value(): Promise<string> {
    return String(await this.call("function () { return this.value; }"));
  }

  async isDisabled(): Promise<boolean> {
    return (await this.call("function () { return this.disabled === true; }")) === true;
  }

  async attribute(name: string): Promise<string> {
    return String(await this.call("function (name) { return this.getAttribute(name); }", name));
  }

  private async call(functionDeclaration: string, ...values: readonly string[]): Promise<unknown> {
    const { object } = await this.ask("DOM.resolveNode", { backendNodeId: this.node });
    // The protocol's form of an object's handle, and of a result.
    const { objectId } = object as { objectId: string };
    const answer = await this.ask("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration,
      arguments: values.map((value) => ({ value })),
      returnByValue: true,
    });
    return (answer as { result?: { value?: unknown } }).result?.value;
  }
}
