import type { WardMode } from "#shared/bullmq-ward";

/** Which queue of which Redis, what its data should look like, and what each command adds. */
export interface AttachedOptions {
  readonly redis?: string;
  readonly queue: string;
  readonly prefix: string;
  readonly contract?: string;
  readonly at?: string;
  readonly mode?: WardMode;
  readonly mayRepeatEffects?: boolean;
  readonly every: number;
  readonly once: boolean;
  readonly json: boolean;
  readonly export: string;
  readonly limit: number;
  readonly by: string;
  readonly data?: string;
  readonly acceptsEffects?: boolean;
  readonly repair: "rules" | "none";
  readonly dryRun: boolean;
  readonly canary: number;
}
