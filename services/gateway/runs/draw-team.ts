import type { Team } from "#shared/runtime";

/** A team's graph as Mermaid text. Names and contracts hold no character that means something to Mermaid in quotes. */
export function drawTeam(team: Team): string {
  const ids = new Map([...team.agents.keys()].map((name, index) => [name, `a${index}`]));
  const nodes = [...team.agents.values()].map((agent) => `  ${ids.get(agent.name)}["${agent.id}"]`);
  const edges = team.edges.map((edge) => {
    const arrow = edge.loop ? "-.->" : "-->";
    return `  ${ids.get(edge.from)} ${arrow}|"${edge.contract}"| ${ids.get(edge.to)}`;
  });
  return ["flowchart LR", `  client(("task")) --> ${ids.get(team.entry.name)}`, ...nodes, ...edges].join(
    "\n",
  );
}
