import type { z } from "zod";
import { OutsideRefusedError, OutsideUnavailableError } from "../errors.ts";
import { fetchJson } from "./fetch-json.ts";
import type { OutsideLimits } from "./fetch-json.ts";

/** Where the outside systems are. Asked at each call, so that loading a team needs no configuration yet. */
export interface OutsideOptions extends OutsideLimits {
  readonly baseUrl: () => string;
}

interface Ask<Schema extends z.ZodType> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly answer: Schema;
  readonly signal: AbortSignal;
}

interface Act<Schema extends z.ZodType> extends Omit<Ask<Schema>, "query"> {
  readonly body: unknown;
  readonly idempotencyKey: string;
}

/** One outside system reached over HTTP; its answers are checked before anyone reads them. */
export class OutsideSystem {
  private readonly name: string;
  private readonly options: OutsideOptions;

  constructor(name: string, options: OutsideOptions) {
    this.name = name;
    this.options = options;
  }

  /** Null: 404. */
  async find<Schema extends z.ZodType>(ask: Ask<Schema>): Promise<z.output<Schema> | null> {
    const url = this.urlOf(ask.path, ask.query);
    const answer = await fetchJson(
      { system: this.name, url, method: "GET", signal: ask.signal },
      this.options,
    );
    return answer === null ? null : this.read(ask.answer, answer);
  }

  /** Causes an effect. The same `idempotencyKey` causes it once, however often it is asked for. */
  async act<Schema extends z.ZodType>(act: Act<Schema>): Promise<z.output<Schema>> {
    const { body, idempotencyKey, signal } = act;
    const url = this.urlOf(act.path, {});
    const request = { system: this.name, url, method: "POST", body, idempotencyKey, signal } as const;
    const answer = await fetchJson(request, this.options);
    if (answer === null) throw new OutsideRefusedError(this.name, 404);
    return this.read(act.answer, answer);
  }

  private urlOf(path: string, query: Readonly<Record<string, string>> = {}): URL {
    const url = new URL(`${this.options.baseUrl().replace(/\/+$/, "")}/sandbox/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  private read<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
    const parsed = schema.safeParse(answer);
    if (!parsed.success) throw new OutsideUnavailableError(this.name);
    return parsed.data;
  }
}
