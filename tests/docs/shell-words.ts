/** A command of a shell block: its words, without redirections; variables set for it or exported alone, by name. */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly variables: readonly string[];
  /** Line in the block, from 0. */
  readonly line: number;
}

/** Quoted parts, redirections with their targets, operators, or a plain part of a word. */
const TOKEN =
  /(?<space>[ \t]+|\\\n)|(?<comment>#[^\n]*)|(?<end>\n|&&|\|\||[|&;])|(?<here><<<|[<>]+)|'(?<raw>[^']*)'|"(?<quoted>(?:\\.|[^"\\])*)"|(?<sub>\$\((?:[^()'"]|'[^']*'|"[^"]*"|\([^()]*\))*\))|(?<plain>(?:\\.|[^\s'"|&;<>\\$]|\$(?!\())+)/gy;

/**
 * Splits a block of `sh` into its commands: lines, pipes and lists, the insides of `$(…)` too.
 *
 * @param firstLine - Line of the block that the code begins in.
 * @throws {Error} A part that is no shell of the kinds that pages use.
 */
export function readCommands(code: string, firstLine = 0): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let word: string | null = null;
  let skipsNext = false;
  let startedAt = firstLine;
  const endWord = (): void => {
    if (word !== null && !skipsNext) words.push(word);
    if (word !== null) skipsNext = false;
    word = null;
  };
  const endCommand = (): void => {
    endWord();
    const first = words.findIndex((one) => !/^\w+=/.test(one));
    const variables = words.slice(0, first === -1 ? words.length : first);
    const rest = first === -1 ? [] : words.slice(first);
    const set = rest[0] === "export" ? rest.filter((one) => one.includes("=")) : variables;
    if (words.length > 0)
      commands.push({ words: rest, variables: set.map((one) => one.split("=")[0] ?? ""), line: startedAt });
    words = [];
  };
  const token = new RegExp(TOKEN);
  while (token.lastIndex < code.length) {
    const at = token.lastIndex;
    const match = token.exec(code);
    if (match?.groups === undefined) throw new Error(`cannot be read from: ${code.slice(at, at + 40)}`);
    const { space, comment, end, here, raw, quoted, sub, plain } = match.groups;
    if (words.length === 0 && word === null) startedAt = firstLine + code.slice(0, at).split("\n").length - 1;
    if (space !== undefined) endWord();
    else if (comment !== undefined && word === null) continue;
    else if (end !== undefined) endCommand();
    else if (here !== undefined) {
      endWord();
      skipsNext = true;
    } else {
      word = (word ?? "") + (raw ?? quoted ?? sub ?? comment ?? plain ?? "").replaceAll(/\\(["\\$])/g, "$1");
      if (sub !== undefined) commands.push(...readCommands(sub.slice(2, -1), startedAt));
    }
  }
  endCommand();
  return commands;
}
