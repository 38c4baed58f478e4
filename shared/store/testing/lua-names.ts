const TOKEN =
  /--\[\[[^]*?\]\]|--[^\n]*|\[\[([^]*?)\]\]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|0x\w+|[\d.]+|==|~=|<=|>=|\.\.\.?|\S/gu;
const NAME = /^[A-Za-z_]/u;
const KEYWORDS = new Set(
  "and break do else elseif end false for function if in local nil not or repeat return then true until while".split(
    " ",
  ),
);

function tokensOf(source: string): string[] {
  return (source.match(TOKEN) ?? []).filter((token) => !token.startsWith("--"));
}

/** Returns names that a Lua source uses without a declaration in scope; Redis would fail at that line. */
export function findGlobals(source: string): string[] {
  return [...new GlobalFinder(tokensOf(source)).find()];
}

/** Tracks Lua's block scopes token by token. Knows the constructs that our scripts use. */
class GlobalFinder {
  private readonly tokens: readonly string[];
  private readonly scopes: Set<string>[] = [new Set()];
  private readonly brackets: string[] = [];
  private readonly found = new Set<string>();
  /** The block of a `for` begins with its names, before its `do`. */
  private forsOpen = 0;
  private at = 0;

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  find(): ReadonlySet<string> {
    for (; this.at < this.tokens.length; this.at += 1) {
      const token = this.tokens[this.at] ?? "";
      if (KEYWORDS.has(token)) this.seeKeyword(token);
      else if (NAME.test(token)) this.seeName(token);
      else this.seeBracket(token);
    }
    if (this.scopes.length !== 1) throw new Error("A block of this Lua source is not closed.");
    return this.found;
  }

  private seeKeyword(word: string): void {
    if (["end", "until", "else", "elseif"].includes(word)) this.scopes.pop();
    if (["then", "else", "repeat"].includes(word) || (word === "do" && this.forsOpen === 0)) this.open();
    else if (word === "do") this.forsOpen -= 1;
    if (word === "local") this.declareLocals();
    if (word === "for") {
      this.open();
      this.forsOpen += 1;
      this.declareNames();
    }
    if (word === "function") {
      this.open();
      this.at += 1;
      this.declareNames();
    }
  }

  private declareLocals(): void {
    if (this.tokens[this.at + 1] !== "function") return this.declareNames();
    this.scopes.at(-1)?.add(this.tokens[this.at + 2] ?? "");
    this.at += 2;
    this.seeKeyword("function");
  }

  private declareNames(): void {
    for (;;) {
      const name = this.tokens[this.at + 1] ?? "";
      if (!NAME.test(name)) return;
      this.scopes.at(-1)?.add(name);
      this.at += 1;
      if (this.tokens[this.at + 1] !== ",") return;
      this.at += 1;
    }
  }

  private seeName(name: string): void {
    const [before, after] = [this.tokens[this.at - 1] ?? "", this.tokens[this.at + 1]];
    const isField = before === "." || before === ":";
    const isKey = after === "=" && this.brackets.at(-1) === "{" && (before === "{" || before === ",");
    if (isField || isKey || this.scopes.some((scope) => scope.has(name))) return;
    this.found.add(name);
  }

  private seeBracket(token: string): void {
    if ("({[".includes(token)) this.brackets.push(token);
    if (")}]".includes(token)) this.brackets.pop();
  }

  private open(): void {
    this.scopes.push(new Set());
  }
}
