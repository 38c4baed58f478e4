import type { JsonSchema } from "#shared/contract";
import type { JsonValue } from "#shared/schema";
import type { Note, RefusalCode } from "../first-aid-result.ts";
import type { Entry, Tree } from "../read/tree.ts";

/** One value to fit into one place. */
export interface Fit {
  readonly tree: Tree;
  readonly schema: JsonSchema;
  readonly path: string;
  /** The schema is one of several alternatives, so that its constant texts tell which. */
  readonly isAlternative?: boolean;
  /** The members of the object that holds the value, and of those around it: they may tell its currency. */
  readonly beside?: Beside;
  /** Name of the member that holds the value; "" for items and the root. It may tell a unit. */
  readonly name: string;
}

/** The members of an object, and of the one that it stands in. */
export interface Beside {
  readonly entries: readonly Entry[];
  readonly around: Beside | undefined;
}

export interface Fitted {
  readonly ok: true;
  readonly value: JsonValue;
  readonly notes: readonly Note[];
  readonly unused: readonly string[];
}

export interface Unfit {
  readonly ok: false;
  readonly code: RefusalCode;
  readonly path: string;
  readonly detail: string;
  readonly candidates?: readonly JsonValue[];
}

export type Alignment = Fitted | Unfit;
