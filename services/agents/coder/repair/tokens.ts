/** A piece of JavaScript that means something. `start` and `end` are offsets in the text; lines count from 1. */
export interface Token {
  readonly kind: "word" | "number" | "string" | "template" | "regex" | "mark";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy;
const NUMBER = /(?:0[xob][\da-f_]+|\d[\d_]*(?:\.[\d_]*)?(?:e[+-]?\d+)?|\.\d[\d_]*(?:e[+-]?\d+)?)n?/iy;
const TEXT = /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y;
const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const MARK =
  />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|>>|\*\*|[{}()[\];,<>+\-*/%&|^!~?:=.@]/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y;

/** Words after which a slash begins a regular expression. */
const BEFORE_REGEX = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "delete",
  "void",
  "throw",
  "new",
  "else",
  "do",
  "await",
  "yield",
]);

/**
 * Cuts JavaScript into tokens, comments left out. Good enough to propose edits by: it never fails, and what it cannot
 * read it passes over.
 */
export function readTokens(text: string): Token[] {
  return new Tokenizer(text).read();
}

class Tokenizer {
  private readonly text: string;
  private readonly tokens: Token[] = [];
  /** Open braces: true for one that belongs to a template's `${`. */
  private readonly braces: boolean[] = [];
  private at = 0;
  private line = 1;

  constructor(text: string) {
    this.text = text;
  }

  read(): Token[] {
    while (this.at < this.text.length) this.readNext();
    return this.tokens;
  }

  private readNext(): void {
    const character = this.text.charAt(this.at);
    if (character === "\n") this.line += 1;
    if (/\s/.test(character)) {
      this.at += 1;
      return;
    }
    if (this.skip(COMMENT)) return;
    if (character === "`") return this.readTemplate();
    if (character === "}" && this.braces.at(-1) === true) {
      this.braces.pop();
      this.push("mark", "}");
      return this.readTemplateRest();
    }
    if (character === "/" && this.canBeRegex() && this.take(REGEX, "regex")) return;
    if (this.take(WORD, "word") || this.take(NUMBER, "number") || this.take(TEXT, "string")) return;
    if (character === "{") this.braces.push(false);
    if (character === "}") this.braces.pop();
    if (!this.take(MARK, "mark")) this.at += 1;
  }

  private readTemplate(): void {
    this.push("template", "`");
    this.readTemplateRest();
  }

  /** Text of a template up to its end or to the next `${`, whose contents are tokens like any other. */
  private readTemplateRest(): void {
    this.take(TEMPLATE_PART, "template");
    if (this.text.startsWith("${", this.at)) {
      this.braces.push(true);
      this.push("mark", "${");
    } else if (this.text.startsWith("`", this.at)) {
      this.push("template", "`");
    }
  }

  private canBeRegex(): boolean {
    const before = this.tokens.at(-1);
    if (before === undefined) return true;
    if (before.kind === "word") return BEFORE_REGEX.has(before.text);
    return before.kind === "mark" && ![")", "]", "}"].includes(before.text);
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return false;
    this.advance(found);
    return true;
  }

  private take(pattern: RegExp, kind: Token["kind"]): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined || found === "") return false;
    this.push(kind, found);
    return true;
  }

  private push(kind: Token["kind"], text: string): void {
    this.tokens.push({ kind, text, start: this.at, end: this.at + text.length, line: this.line });
    this.advance(text);
  }

  private advance(text: string): void {
    this.at += text.length;
    for (const character of text) if (character === "\n") this.line += 1;
  }
}
