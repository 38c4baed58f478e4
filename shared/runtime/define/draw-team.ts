import type { Team } from "./define-team.ts";

/**
 * A team's graph as Mermaid text: solid what goes forward, dashed what may go back, double-edged the agents at which
 * branches of a fan-out come together. Names and contracts hold no character that means something to Mermaid in quotes.
 */
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
