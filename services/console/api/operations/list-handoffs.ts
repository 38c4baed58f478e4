import { viewHandoffs } from "#shared/api";
import type { Handler } from "../operation.ts";

/** Who may send what to whom in each team, and what became of it. */
export const listHandoffs: Handler<"listHandoffs"> = ({ console: { store, teams }, query: { span } }) =>
  viewHandoffs(store, { teams, span });
