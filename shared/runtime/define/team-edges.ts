import type { KeyEdge } from "#shared/envelope/keys";
import type { Team } from "./define-team.ts";

/** Returns every edge that needs a key: declared ones, gateway and surgeon to agents, every agent to the ward. */
export function edgesOf(teams: readonly Team[]): KeyEdge[] {
  const declared = teams.flatMap((team) => team.edges.map(({ from, to }) => ({ from, to })));
  const agents = teams.flatMap((team) => [...team.agents.keys()]);
  return [
    ...declared,
    ...agents.flatMap((agent) => [
      { from: "gateway", to: agent },
      { from: "surgeon", to: agent },
      { from: agent, to: "ward" },
    ]),
  ];
}

/** One row of the handoff matrix: sender, receiver and what is sent. */
interface DeclaredHandoff {
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

/** Returns rows as Mermaid text, which no name or type can break; `noteOf` may add a word to an edge. */
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

/** Returns a team's graph as Mermaid: solid edges lead forward, dashed ones are loops, double borders join. */
export function drawTeam(team: Team): string {
  const ids = new Map([...team.agents.keys()].map((name, index) => [name, `a${index}`]));
  const nodes = [...team.agents.values()].map(({ id, name, options }) =>
    options.collects === undefined ? `  ${ids.get(name)}["${id}"]` : `  ${ids.get(name)}[["${id}"]]`,
  );
  const edges = team.edges.map((edge) => {
    const arrow = edge.loop ? "-.->" : "-->";
    return `  ${ids.get(edge.from)} ${arrow}|"${edge.contract}"| ${ids.get(edge.to)}`;
  });
  return ["flowchart LR", `  client(("task")) --> ${ids.get(team.entry.name)}`, ...nodes, ...edges].join(
    "\n",
  );
}
