import type { ModelFault } from "./model-fault.ts";

/** One line of the outside world's log. Written before the answer goes out. */
export type OutsideLine =
  | {
      readonly type: "model";
      readonly task: string;
      readonly call: number;
      readonly fault: ModelFault | null;
    }
  /** The call is over: the answer went out, or whoever asked is gone. */
  | { readonly type: "answered"; readonly task: string; readonly call: number }
  /** A question of the surgeon. */
  | { readonly type: "repair" }
  | {
      readonly type: "effect";
      readonly task: string;
      readonly key: string;
      readonly effect_id: string;
      /** The same key came before: nothing happened now. */
      readonly is_repeat: boolean;
    };
