import type { Draw } from "../../seeded.ts";
import type { TextDamage } from "../damage.ts";

const stamp = (draw: Draw, index: number): string =>
  draw.pick([
    `2024-05-01T10:00:0${index % 10}.123Z INFO  [worker-1] `,
    `2024-05-01 10:00:0${index % 10},456 - INFO - `,
    `May  1 10:00:0${index % 10} host app[4711]: `,
  ]);

const perLine = (text: string, prefix: (index: number) => string): string | undefined =>
  text.includes("\n")
    ? text
        .split("\n")
        .map((line, index) => prefix(index) + line)
        .join("\n")
    : undefined;

/** What mail, loggers, shells and servers put around or before the lines of an answer. */
export const CARRIERS: readonly TextDamage[] = [
  {
    name: "quoted mail",
    why: "the marks stand at the start of every line, and the first line says who is quoted",
    takes: "brackets",
    apply: (json, draw) =>
      json.includes("\n")
        ? `On Mon, 3 Jun 2024 at 09:12, Ann wrote:\n${json.replaceAll(/^/gm, draw.pick(["> ", ">> ", "> > "]))}`
        : undefined,
  },
  {
    name: "mail signature",
    why: "what follows the two dashes is a signature",
    takes: "brackets",
    apply: (json) => `Hi,\n\nas requested:\n\n${json}\n\nBest regards\n-- \nAnn | Acme Corp. | ext. 42`,
  },
  {
    name: "log prefix on every line",
    why: "each line begins with time and source, as loggers write",
    takes: "brackets",
    apply: (json, draw) => {
      const prefix = stamp(draw, 1);
      return perLine(json, () => prefix);
    },
  },
  {
    name: "log prefix before the answer",
    why: "time and source stand before the JSON",
    takes: "brackets",
    apply: (json, draw) => `${stamp(draw, 1)}${draw.pick(["response: ", "", "model output = "])}${json}`,
  },
  {
    name: "line numbers",
    why: "the numbers count the lines from one",
    takes: "brackets",
    apply: (json, draw) => {
      const mark = draw.pick(["\t", ": ", " | "]);
      return perLine(json, (index) => `${String(index + 1).padStart(mark === "\t" ? 6 : 2)}${mark}`);
    },
  },
  {
    name: "lines of a diff",
    why: "every line is an added one",
    takes: "brackets",
    apply: (json) => perLine(json, () => "+"),
  },
  {
    name: "shell echo",
    why: "the shell's quotes hold the JSON, which holds no such quote",
    takes: "json",
    apply: (json, draw) =>
      /'/.test(json) || !/^[{[]/.test(json)
        ? undefined
        : draw.pick([
            `echo '${json}'`,
            `RESULT='${json}'`,
            `curl -X POST https://api.example.com/v1/items -H 'Content-Type: application/json' -d '${json}'`,
          ]),
  },
  {
    name: "heredoc",
    why: "the document ends at its mark",
    takes: "brackets",
    apply: (json) => `cat <<'EOF' > result.json\n${json}\nEOF`,
  },
  {
    name: "terminal session",
    why: "prompt and command hold no data",
    takes: "brackets",
    apply: (json) => `$ cat result.json\n${json}\n$ `,
  },
  {
    name: "HTTP response",
    why: "headers end at the empty line",
    takes: "brackets",
    apply: (json) =>
      `HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: 7f3a\r\n\r\n${json}`,
  },
  {
    name: "JSONP",
    why: "the callback's one argument is the answer",
    takes: "json",
    apply: (json) => `callback(${json});`,
  },
  {
    name: "anti-hijacking prefix",
    why: "the prefix is a known guard and no data",
    takes: "json",
    apply: (json, draw) => `${draw.pick([")]}',\n", "while(1);", "for(;;);"])}${json}`,
  },
  {
    name: "YAML block scalar",
    why: "the block holds the answer's own JSON",
    takes: "brackets",
    apply: (json) => (/^[{[]/.test(json) ? `response: |\n${json.replaceAll(/^/gm, "  ")}` : undefined),
  },
];
