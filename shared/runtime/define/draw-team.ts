import type { Team } from "./define-team.ts";

/**
 * Returns a team's graph as Mermaid text: solid edges lead forward, dashed ones are loops, double borders mark
 * joining agents. Names and contracts contain no character that Mermaid interprets within quotes.
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
