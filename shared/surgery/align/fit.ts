import type { JsonSchema } from "#shared/contract";
import type { Note, RefusalCode } from "../first-aid-result.ts";
import type { JsonValue } from "../json-value.ts";
import type { Tree } from "../read/tree.ts";

/** One value to fit into one place. */
export interface Fit {
  readonly tree: Tree;
  readonly schema: JsonSchema;
  readonly path: string;
  /** The schema is one of several alternatives, so that its constant texts tell which. */
  readonly isAlternative?: boolean;
  /** Name of the member that holds the value; "" for items and the root. It may tell a unit. */
  readonly name: string;
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
