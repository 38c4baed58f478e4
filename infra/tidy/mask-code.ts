export interface MaskedCode {
  /** As long as the code, line by line, with blanks for the contents of texts, patterns and comments. */
  readonly masked: string;
  /** Numbers of the lines that hold a comment, from 1. */
  readonly commentLines: ReadonlySet<number>;
}

/** What may stand before a `/` that begins a pattern; after anything else it divides. */
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};+>~^%*<-]|\b(?:return|typeof|case|in|of|await|yield|throw))\s*$/;

/**
 * Blanks what is not code, so that a rule does not take a word in a text or a comment for a call. It knows texts,
 * templates with code inside, comments and patterns: enough for code that the formatter has been over.
 */
export function maskCode(code: string): MaskedCode {
  const masker = new Masker(code);
  masker.maskUntil(null);
  return { masked: masker.masked, commentLines: masker.commentLines };
}

class Masker {
  readonly commentLines = new Set<number>();
  masked = "";
  readonly #code: string;
  #at = 0;
  #line = 1;

  constructor(code: string) {
    this.#code = code;
  }

  /** Copies code and masks the rest, up to the brace that closes a template's part, or to the end. */
  maskUntil(closing: "}" | null): void {
    let depth = 0;
    while (this.#at < this.#code.length) {
      const next = this.#code.charAt(this.#at);
      if (closing !== null && depth === 0 && next === closing) return;
      if (next === "{") depth += 1;
      if (next === "}") depth -= 1;
      if (!this.#maskOther(next)) this.#copy();
    }
  }

  /** Masks a text, template, comment or pattern that begins here. */
  #maskOther(next: string): boolean {
    const two = this.#code.slice(this.#at, this.#at + 2);
    if (two === "//" || two === "/*") this.#maskComment(two);
    else if (next === '"' || next === "'") this.#maskText(next);
    else if (next === "`") this.#maskTemplate();
    else if (next === "/" && BEFORE_PATTERN.test(this.#codeOfLineSoFar())) this.#maskPattern();
    else return false;
    return true;
  }

  #maskComment(opening: "//" | "/*"): void {
    const found = this.#code.indexOf(opening === "//" ? "\n" : "*/", this.#at + 2);
    const end = found === -1 ? this.#code.length : found + (opening === "//" ? 0 : 2);
    while (this.#at < end) {
      this.commentLines.add(this.#line);
      this.#blank();
    }
  }

  #maskText(quote: string): void {
    this.#copy();
    while (this.#at < this.#code.length && this.#code[this.#at] !== quote && this.#code[this.#at] !== "\n") {
      if (this.#code[this.#at] === "\\") this.#blank();
      this.#blank();
    }
    this.#copy();
  }

  #maskTemplate(): void {
    this.#copy();
    while (this.#at < this.#code.length && this.#code[this.#at] !== "`") {
      if (this.#code.startsWith("${", this.#at)) {
        this.#copy();
        this.#copy();
        this.maskUntil("}");
        this.#copy();
        continue;
      }
      if (this.#code[this.#at] === "\\") this.#blank();
      this.#blank();
    }
    this.#copy();
  }

  #maskPattern(): void {
    let isInClass = false;
    this.#copy();
    while (this.#at < this.#code.length && this.#code[this.#at] !== "\n") {
      const next = this.#code[this.#at];
      if (next === "/" && !isInClass) break;
      if (next === "[") isInClass = true;
      if (next === "]") isInClass = false;
      if (next === "\\") this.#blank();
      this.#blank();
    }
    this.#copy();
  }

  #codeOfLineSoFar(): string {
    return this.masked.slice(this.masked.lastIndexOf("\n") + 1);
  }

  #copy(): void {
    this.#put(this.#code.charAt(this.#at));
  }

  #blank(): void {
    this.#put(this.#code[this.#at] === "\n" ? "\n" : " ");
  }

  #put(text: string): void {
    if (this.#at >= this.#code.length) return;
    if (text === "\n") this.#line += 1;
    this.masked += text;
    this.#at += 1;
  }
}
