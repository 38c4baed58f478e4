import type { Team } from "./define-team.ts";

/** One row of the handoff matrix: sender, receiver and what is sent. */
export interface DeclaredHandoff {
  readonly team: string;
  readonly from: string;
  readonly to: string;
  readonly handoff_type: string;
  /** `name@version` of the contract sent; from outside, of the one accepted. */
  readonly contract: string;
  readonly loop: boolean;
}

/** Returns every handoff that teams declare, including tasks from the gateway. */
export function listHandoffs(teams: readonly Team[]): DeclaredHandoff[] {
  return teams.flatMap((team) => [
    ...tasksOf(team),
    ...team.edges.flatMap(({ from, to, contract, loop, types }) =>
      types.map((handoff_type) => ({ team: team.name, from, to, handoff_type, contract, loop })),
    ),
  ]);
}

function tasksOf({ name, agents, matrix }: Team): DeclaredHandoff[] {
  return [...agents.values()].flatMap((agent) =>
    (matrix.get(agent.name)?.get("gateway") ?? []).map((handoff_type) => ({
      team: name,
      from: "gateway",
      to: agent.name,
      handoff_type,
      contract: agent.accepts.id,
      loop: false,
    })),
  );
}

/**
 * Returns rows as Mermaid text; `noteOf` may add a word to an edge. Names and types contain nothing that Mermaid
 * interprets.
 */
export function drawHandoffs<Row extends DeclaredHandoff>(
  rows: readonly Row[],
  noteOf: (row: Row) => string = () => "",
): string {
  const names = [...new Set(rows.flatMap(({ from, to }) => [from, to]))];
  const ids = new Map(names.map((name, index) => [name, `h${index}`]));
  const arrows = rows.map((row) => {
    const note = noteOf(row);
    const text = `${row.handoff_type}: ${row.contract}${note === "" ? "" : ` (${note})`}`;
    return `  ${ids.get(row.from)} ${row.loop ? "-.->" : "-->"}|"${text}"| ${ids.get(row.to)}`;
  });
  return ["flowchart LR", ...names.map((name) => `  ${ids.get(name)}["${name}"]`), ...arrows].join("\n");
}
