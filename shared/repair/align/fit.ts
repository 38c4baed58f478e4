import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import type { Note, RefusalCode } from "../first-aid-result.ts";
import type { Entry, Tree } from "../read/tree.ts";

/** One value with the schema it must fit. */
export interface Fit {
  readonly tree: Tree;
  readonly schema: JsonSchema;
  readonly path: string;
  /** True for one of several alternatives, whose constants discriminate. */
  readonly isAlternative?: boolean;
  /** Members of the parent and grandparent objects, which may name the currency. */
  readonly beside?: Beside;
  /** The value's member name, which may name a unit; "" for items and the root. */
  readonly name: string;
}

/** Members of an object and of its parent. */
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
  readonly candidates?: readonly JsonValue[];
}

export type Alignment = Fitted | Unfit;
