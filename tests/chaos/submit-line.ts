import type { TaskKind } from "./task.ts";

/** One line of the submitter's log. What a client knows, and nothing else. */
export type SubmitLine =
  | { readonly type: "began"; readonly task: string; readonly kind: TaskKind }
  /** 202: from now on nothing may lose it. */
  | { readonly type: "acked"; readonly task: string; readonly run_id: string }
  /** No answer, or one that says that the outcome is unknown. */
  | { readonly type: "unknown"; readonly task: string }
  /** The gateway says that nothing was changed, and to come again. */
  | { readonly type: "turned_away"; readonly task: string; readonly status: number }
  /** An answer that ends it. No task of ours deserves one. */
  | { readonly type: "refused"; readonly task: string; readonly status: number }
  /** An unknown outcome that is left so on purpose. */
  | { readonly type: "abandoned"; readonly task: string };
