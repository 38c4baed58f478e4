import { z } from "zod";
import { OutsideRefusedError, OutsideUnavailableError } from "../errors.ts";
import { fetchJson } from "./fetch-json.ts";
import type { OutsideLimits } from "./fetch-json.ts";
import type { OutsideAddress } from "#shared/config";

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
export class HttpSystem {
  private readonly name: string;
  private readonly address: () => OutsideAddress;
  private readonly limits: OutsideLimits;

  constructor(name: string, address: () => OutsideAddress, limits: OutsideLimits) {
    this.name = name;
    this.address = address;
    this.limits = limits;
  }

  /** Null: 404. */
  async find<Schema extends z.ZodType>(ask: Ask<Schema>): Promise<z.output<Schema> | null> {
    const { url, token } = this.address();
    const request = {
      system: this.name,
      url: urlOf(url, ask),
      token,
      method: "GET",
      signal: ask.signal,
    } as const;
    const answer = await fetchJson(request, this.limits);
    return answer === null ? null : this.read(ask.answer, answer);
  }

  /** Causes an effect. The same `idempotencyKey` causes it once, however often it is asked for. */
  async act<Schema extends z.ZodType>(act: Act<Schema>): Promise<z.output<Schema>> {
    const { body, idempotencyKey, signal } = act;
    const { url, token } = this.address();
    const request = {
      system: this.name,
      url: urlOf(url, act),
      token,
      method: "POST",
      body,
      idempotencyKey,
      signal,
    } as const;
    const answer = await fetchJson(request, this.limits);
    if (answer === null) throw new OutsideRefusedError(this.name, 404);
    return this.read(act.answer, answer);
  }

  /** Returns the first of the list `name` that the system answers with for an idempotency key; null for none. */
  async findMade<Made extends z.ZodType>(
    wanted: Pick<Ask<Made>, "path" | "signal"> & {
      readonly name: string;
      readonly made: Made;
      readonly key: string;
    },
  ): Promise<z.output<Made> | null> {
    const { path, name, made, key, signal } = wanted;
    const answer = z.object({ [name]: z.array(made) });
    const found = await this.find({ path, query: { key }, answer, signal });
    return found?.[name]?.[0] ?? null;
  }

  private read<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
    const parsed = schema.safeParse(answer);
    if (!parsed.success) throw new OutsideUnavailableError(this.name);
    return parsed.data;
  }
}

function urlOf(base: string, { path, query = {} }: Pick<Ask<z.ZodType>, "path" | "query">): URL {
  const url = new URL(`${base}/${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
