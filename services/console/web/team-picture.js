const SVG = "http://www.w3.org/2000/svg";

/** Sizes in the units of the picture, which are pixels where it is shown whole. */
const BOX = { width: 150, height: 30 };
const GAP = { across: 70, down: 18 };
const EDGE = 12;
/** How far below everything ways back run, and how far each runs below the one before. */
const BACK = { below: 12, apart: 12 };

/**
 * A team as a machine of states: its agents, in columns by how late a run comes to them, and the transitions between
 * them. Ways back are dashed and run below; a transition on which something failed is drawn as such. All that it says
 * stands in the table beneath it, too.
 *
 * @param {{ team: string, entry: string, agents: string[] }} team
 * @param {{ from: string, to: string, handoff_type: string, contract: string, loop: boolean, done: number,
 *   failed: number }[]} rows Its handoffs between agents.
 */
export function teamPicture({ team, entry, agents }, rows) {
  const transitions = [...Map.groupBy(rows, ({ from, to }) => `${from}>${to}`).values()];
  const { places, width, height } = placeAgents({ entry, agents, rows });
  const ways = layWays(transitions, places, height);
  const bottom = height + (ways.backs === 0 ? 0 : BACK.below + ways.backs * BACK.apart);
  const svg = element("svg", {
    viewBox: `0 0 ${width} ${bottom}`,
    width,
    height: bottom,
    class: "machine",
    role: "img",
    "aria-label": `States and transitions of ${team}: ${agents.length} agents, ${transitions.length} transitions, from ${entry}. The table below lists them.`,
  });
  svg.append(
    arrowHead(team),
    ...ways.paths.map((way) => path(way, team)),
    ...agents.map((name) => box(name, places.get(name), name === entry)),
  );
  return svg;
}

/**
 * By the longest way from the entry that goes no way back, so that every arrow but those leads to the right; whoever
 * none leads to stands in the first column.
 */
function placeAgents({ entry, agents, rows }) {
  const depths = new Map(agents.map((name) => [name, 0]));
  const steps = stepsFrom(entry, rows);
  const onward = rows.filter(({ from, to, loop }) => !loop || steps.get(to) > steps.get(from));
  // A team that goes round without saying so would never come to rest.
  for (let round = 1; round < agents.length; round += 1) {
    for (const { from, to } of onward)
      depths.set(to, Math.min(agents.length - 1, Math.max(depths.get(to), depths.get(from) + 1)));
  }
  const columns = Map.groupBy(agents, (name) => depths.get(name));
  const places = new Map();
  for (const [depth, names] of columns) {
    for (const [row, name] of names.entries()) {
      const x = EDGE + depth * (BOX.width + GAP.across);
      places.set(name, { x, y: EDGE + row * (BOX.height + GAP.down), depth });
    }
  }
  const across = Math.max(...columns.keys()) + 1;
  const down = Math.max(...[...columns.values()].map((names) => names.length));
  return {
    places,
    width: 2 * EDGE + across * BOX.width + (across - 1) * GAP.across,
    height: 2 * EDGE + down * BOX.height + (down - 1) * GAP.down,
  };
}

/** Fewest transitions from the entry, over all of them; none for whoever cannot be reached. */
function stepsFrom(entry, rows) {
  const steps = new Map([[entry, 0]]);
  // A map is walked in the order of its keys, those that come in on the way included.
  for (const [name, step] of steps) {
    for (const { from, to } of rows) if (from === name && !steps.has(to)) steps.set(to, step + 1);
  }
  return steps;
}

function layWays(transitions, places, height) {
  let backs = 0;
  const paths = transitions.map((rows) => {
    const [{ from, to }] = rows;
    const [start, end] = [places.get(from), places.get(to)];
    const isBack = end.depth <= start.depth;
    if (isBack) backs += 1;
    return {
      rows,
      isBack,
      line: isBack ? below(start, end, { bottom: height, way: backs }) : ahead(start, end),
    };
  });
  return { paths, backs };
}

function ahead(start, end) {
  const [x, y] = [start.x + BOX.width, start.y + BOX.height / 2];
  const [toX, toY] = [end.x - 6, end.y + BOX.height / 2];
  const bend = Math.max(30, (toX - x) / 2);
  return `M ${x} ${y} C ${x + bend} ${y}, ${toX - bend} ${toY}, ${toX} ${toY}`;
}

/** Down beside the column of its start, along below everything, and up beside that of its end: behind no state. */
function below(start, end, { bottom, way }) {
  const aside = 8 + way * 5;
  const [y, toY] = [start.y + BOX.height / 2 + 6, end.y + BOX.height / 2 + 6];
  const [x, toX] = [start.x - aside, end.x + BOX.width + aside];
  const along = bottom + way * BACK.apart;
  return `M ${start.x} ${y} H ${x} V ${along} H ${toX} V ${toY} H ${end.x + BOX.width + 6}`;
}

function path({ rows, isBack, line }, team) {
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const kinds = ["way", isBack ? "return" : "", failed > 0 ? "failed" : ""].filter((kind) => kind !== "");
  const drawn = element("path", { d: line, class: kinds.join(" "), "marker-end": `url(#arrow-${team})` });
  const title = element("title", {});
  title.textContent = rows
    .map(
      (row) =>
        `${row.from} to ${row.to}: ${row.handoff_type} (${row.contract}), ${row.done} done, ${row.failed} failed`,
    )
    .join("\n");
  drawn.append(title);
  return drawn;
}

function box(name, { x, y }, isEntry) {
  const group = element("g", { class: isEntry ? "state entry" : "state" });
  const text = element("text", { x: x + BOX.width / 2, y: y + BOX.height / 2 });
  text.textContent = name;
  group.append(element("rect", { x, y, width: BOX.width, height: BOX.height, rx: 6 }), text);
  return group;
}

function arrowHead(team) {
  const marker = element("marker", {
    id: `arrow-${team}`,
    viewBox: "0 0 8 8",
    refX: 2,
    refY: 4,
    markerWidth: 7,
    markerHeight: 7,
    orient: "auto",
  });
  marker.append(element("path", { d: "M 0 0 L 8 4 L 0 8 z", class: "head" }));
  const defs = element("defs", {});
  defs.append(marker);
  return defs;
}

function element(tag, about) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(about)) made.setAttribute(name, String(value));
  return made;
}
