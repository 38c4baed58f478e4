import type { RunStatus } from "#shared/store/runs";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";
import type { PushFormName } from "./push-target.ts";

/** What is posted to an address. */
export interface PushBody {
  readonly contentType: string;
  readonly body: string;
}

/** What addresses of one form are told of a run. */
export interface PushForm {
  /** Whether they are told that a run has this status. */
  tells(status: RunStatus): boolean;
  /**
   * Writes a run as the caller sees it now. @param push.id - The same for every try.
   *
   * @throws {NotFoundError}
   */
  write(gateway: Gateway, push: { caller: Caller; runId: string; id: string }): Promise<PushBody>;
}

export type PushForms = Readonly<Record<PushFormName, PushForm>>;
