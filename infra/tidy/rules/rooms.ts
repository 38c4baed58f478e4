import type { Finding, SourceFile } from "../source-file.ts";

/** `shared/<room>`, `services/<name>` or `services/agents/<team>` of a path; null outside them. */
export function roomOf(path: string): string | null {
  return (
    /^(?:shared\/[^/]+|services\/agents\/[^/]+|services\/(?!agents\/)[^/]+)(?=\/)/.exec(path)?.[0] ?? null
  );
}

/** Each room says what it is for, and a room of the library has one door. */
export function checkRooms(files: readonly SourceFile[]): Finding[] {
  const paths = new Set(files.map(({ path }) => path));
  const rooms = new Set(files.filter(({ isCode }) => isCode).flatMap(({ path }) => roomOf(path) ?? []));
  const findings: Finding[] = [];
  for (const room of rooms) {
    const demand = (name: string, message: string): void => {
      if (!paths.has(`${room}/${name}`)) findings.push({ path: `${room}/${name}`, line: 0, message });
    };
    demand("README.md", "write what the room is for, its files in reading order, and what it may import");
    if (room.startsWith("shared/"))
      demand("index.ts", "give the room its door: what others may use is exported there");
  }
  return findings;
}
