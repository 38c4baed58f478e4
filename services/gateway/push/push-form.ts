import type { RunStatus } from "#shared/store/runs";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";
import type { PushFormName } from "./push-target.ts";

/** The body of one push and its media type. */
export interface PushBody {
  readonly contentType: string;
  readonly body: string;
}

/** A kind of address: which statuses of a run it is told, and in which body. */
export interface PushForm {
  /** Returns true for a status that is posted. */
  tells(status: RunStatus): boolean;
  /**
   * Writes a run as the caller sees it now. @param push.id - The same for every try.
   *
   * @throws {NotFoundError}
   */
  write(gateway: Gateway, push: { caller: Caller; runId: string; id: string }): Promise<PushBody>;
}

export type PushForms = Readonly<Record<PushFormName, PushForm>>;
