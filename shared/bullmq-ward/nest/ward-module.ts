import { BullModule, getQueueToken } from "@nestjs/bullmq";
import type { DynamicModule, OnApplicationBootstrap, OnModuleDestroy, Provider } from "@nestjs/common";
import type { RedisClient } from "#shared/store";
import { connectAttached } from "#shared/store/attached";
import type { AttachableQueue } from "#shared/store/attached";
import { BullmqWard } from "../bullmq-ward.ts";
import type { BullmqWardOptions } from "../options.ts";
import type { RunOptions } from "../sweep.ts";

export interface BullmqWardModuleOptions
  extends Omit<BullmqWardOptions, "redis">, Omit<RunOptions, "signal"> {
  /** The queue's name, as in `BullModule.registerQueue`. Its connection is that of `BullModule.forRoot`. */
  readonly queue: string;
  /** `configKey` of the `BullModule.forRoot` that the queue belongs to. Default: the unnamed one. */
  readonly configKey?: string;
  /** URL of the queue's Redis, or an ioredis connection that the caller closes. */
  readonly redis: RedisClient | string;
}

/** Returns the injection token of a queue's ward. */
export function getWardToken(queue: string): string {
  return `BullmqWard_${queue}`;
}

/**
 * A Nest module with the ward of one queue. The ward sweeps from the application's start to its end; `watch`, the
 * default mode, moves nothing. Redis may be away at the start.
 *
 * @example
 * BullmqWardModule.register({ queue: "orders", redis: "redis://127.0.0.1:6379" })
 */
export class BullmqWardModule {
  static register(options: BullmqWardModuleOptions): DynamicModule {
    const { queue: name, configKey } = options;
    const [ward, runner] = [getWardToken(name), `BullmqWardRunner_${name}`];
    const providers: Provider[] = [
      {
        provide: runner,
        inject: [getQueueToken(name)],
        useFactory: (queue: AttachableQueue) => new WardRunner(queue, options),
      },
      { provide: ward, inject: [runner], useFactory: (one: WardRunner) => one.ward },
    ];
    const imports = [BullModule.registerQueue(configKey === undefined ? { name } : { name, configKey })];
    return { module: BullmqWardModule, imports, providers, exports: [ward] };
  }
}

/** Runs the sweeps of a ward for as long as its application runs. */
class WardRunner implements OnApplicationBootstrap, OnModuleDestroy {
  readonly ward: BullmqWard;
  readonly #options: BullmqWardModuleOptions;
  readonly #own: RedisClient | null;
  readonly #end = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(queue: AttachableQueue, options: BullmqWardModuleOptions) {
    const { redis, onError } = options;
    const client = typeof redis === "string" ? connectAttached(redis, (error) => onError?.(error)) : redis;
    this.#own = client === redis ? null : client;
    this.ward = new BullmqWard(queue, { ...options, redis: client });
    this.#options = options;
  }

  onApplicationBootstrap(): void {
    this.#running = this.ward.run({ ...this.#options, signal: this.#end.signal });
  }

  async onModuleDestroy(): Promise<void> {
    this.#end.abort();
    await this.#running;
    this.#own?.disconnect();
  }
}
