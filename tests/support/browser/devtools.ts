/** What the browser answers or tells. Its form is the protocol's; who asks knows it. */
export type Told = Readonly<Record<string, unknown>>;

type Settle = { readonly resolve: (told: Told) => void; readonly reject: (error: Error) => void };

/** A connection to a browser, in the Chrome DevTools protocol. */
export class Devtools {
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, Settle>();
  private readonly listeners = new Set<(session: string, method: string, params: Told) => void>();
  private asked = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => this.hear(String(data)));
    socket.addEventListener("close", () => {
      for (const { reject } of this.waiting.values()) reject(new Error("the browser is gone"));
      this.waiting.clear();
    });
  }

  static async connect(url: string): Promise<Devtools> {
    const socket = new WebSocket(url);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve(), { once: true });
      socket.addEventListener("error", () => reject(new Error("the browser does not answer")), {
        once: true,
      });
    });
    return new Devtools(socket);
  }

  /** @param to.session - A page's; absent for the browser itself. */
  ask(method: string, params: Told = {}, to: { readonly session?: string } = {}): Promise<Told> {
    this.asked += 1;
    const id = this.asked;
    const { promise, resolve, reject } = Promise.withResolvers<Told>();
    this.waiting.set(id, { resolve, reject });
    const session = to.session === undefined ? {} : { sessionId: to.session };
    this.socket.send(JSON.stringify({ id, method, params, ...session }));
    return promise;
  }

  listen(listener: (session: string, method: string, params: Told) => void): void {
    this.listeners.add(listener);
  }

  close(): void {
    this.socket.close();
  }

  private hear(text: string): void {
    // The protocol's own envelope: an answer has an id, news has a method.
    const told = JSON.parse(text) as {
      id?: number;
      error?: { message: string };
      result?: Told;
      sessionId?: string;
      method?: string;
      params?: Told;
    };
    if (told.id === undefined) {
      for (const listener of this.listeners)
        listener(told.sessionId ?? "", told.method ?? "", told.params ?? {});
      return;
    }
    const settle = this.waiting.get(told.id);
    this.waiting.delete(told.id);
    if (told.error === undefined) settle?.resolve(told.result ?? {});
    else settle?.reject(new Error(told.error.message));
  }
}
