import type { StyleDamage, TextDamage } from "../damage.ts";
import { isDeclared, sitesOf } from "../sites.ts";
import { all, bareLine, flatMembers } from "./flat.ts";
import { rewritten, tokensOf } from "./json-tokens.ts";
import type { Token } from "./json-tokens.ts";

const isLayout = ({ kind }: Token): boolean => kind === "space";

/** Whether a string of the JSON text holds something that the damage would make ambiguous. */
const holds = (json: string, pattern: RegExp): boolean =>
  tokensOf(json)?.some(
    ({ kind, text }) => (kind === "string" || kind === "name") && pattern.test(text.slice(1, -1)),
  ) ?? true;

const entities = (text: string, quote: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', quote);

function quotedPrintable(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  const encoded = bytes.map((byte) => {
    const isPlain = (byte >= 32 && byte <= 126 && byte !== 61) || byte === 10;
    return isPlain ? String.fromCodePoint(byte) : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  });
  const lines: string[] = [""];
  for (const piece of encoded) {
    const last = lines.at(-1) ?? "";
    if (last.length > 70 && piece !== "\n") lines.push(piece);
    else lines[lines.length - 1] = last + piece;
    if (piece === "\n") lines.push("");
  }
  return lines
    .map((line, index) => (line.endsWith("\n") || index === lines.length - 1 ? line : `${line}=\n`))
    .join("");
}

/** What encodings and displays do to JSON. */
export const ENCODINGS: readonly TextDamage[] = [
  {
    name: "JSON in a JSON string",
    why: "the string holds the answer's own JSON",
    takes: "json",
    apply: (json) => JSON.stringify(json),
  },
  {
    name: "JSON in a JSON string, twice",
    why: "each string holds the next one's own JSON",
    takes: "json",
    apply: (json) => JSON.stringify(JSON.stringify(json)),
  },
  {
    name: "escaped quotes without a string around",
    why: "every quotation mark is escaped alike",
    takes: "json",
    apply: (json) => (json.includes('"') ? JSON.stringify(json).slice(1, -1) : undefined),
  },
  {
    name: "escaped line breaks as layout",
    why: "outside of strings an escaped line break can only be layout",
    takes: "json",
    apply: (json) =>
      rewritten(json, (token) => (isLayout(token) ? token.text.replaceAll("\n", "\\n") : token.text)),
  },
  {
    name: "percent-encoding",
    why: "decoding gives the answer's own JSON",
    takes: "json",
    apply: (json) => (/^[{["]/.test(json) ? encodeURIComponent(json) : undefined),
  },
  {
    name: "form field",
    why: "decoding gives the answer's own JSON",
    takes: "json",
    apply: (json) => (/^[{[]/.test(json) ? new URLSearchParams({ payload: json }).toString() : undefined),
  },
  {
    name: "HTML entities",
    why: "decoding gives the answer's own JSON",
    takes: "json",
    apply: (json, draw) =>
      json.includes('"') ? entities(json, draw.pick(["&quot;", "&#34;", "&#x22;"])) : undefined,
  },
  {
    name: "HTML code block",
    why: "the block holds the answer's own JSON, with entities",
    takes: "json",
    apply: (json) => `<pre><code class="language-json">${entities(json, "&quot;")}</code></pre>`,
  },
  {
    name: "HTML line breaks and blanks",
    why: "outside of strings they can only be layout",
    takes: "json",
    apply: (json) =>
      rewritten(json, (token) =>
        isLayout(token) ? token.text.replaceAll("\n", "<br>\n").replaceAll("  ", "&nbsp;&nbsp;") : token.text,
      ),
  },
  {
    name: "JSON quoted as CSV",
    why: "the cell holds the answer's own JSON, quotes doubled",
    takes: "json",
    apply: (json) => (json.includes('"') ? `"${json.replaceAll('"', '""')}"` : undefined),
  },
  {
    name: "quoted-printable",
    why: "the header names the encoding, and decoding gives the answer's own JSON",
    takes: "json",
    apply: (json) => {
      const text = quotedPrintable(json);
      const header =
        "Content-Type: application/json; charset=utf-8\nContent-Transfer-Encoding: quoted-printable";
      return text === json ? undefined : `${header}\n\n${text}`;
    },
  },
  { name: "byte order mark", why: "the mark is no data", takes: "json", apply: (json) => `\uFEFF${json}` },
  {
    name: "zero-width characters between tokens",
    why: "outside of strings they are no data",
    takes: "json",
    apply: (json, draw) => {
      const mark = draw.pick(["\u200B", "\u2060", "\u200E"]);
      return rewritten(json, ({ kind, text }) => (kind === "mark" ? text + mark : text));
    },
  },
  {
    name: "no-break blanks as layout",
    why: "outside of strings they can only be layout",
    takes: "json",
    apply: (json, draw) => {
      const blank = draw.pick(["\u00A0", "\u3000", "\u2003"]);
      return rewritten(json, (token) => (isLayout(token) ? token.text.replaceAll(" ", blank) : token.text));
    },
  },
  {
    name: "typographic quotes",
    why: "every string is delimited by them and holds none",
    takes: "json",
    apply: (json, draw) => {
      const [open, close] = draw.pick([
        ["“", "”"],
        ["„", "“"],
        ["«", "»"],
        ["”", "”"],
      ] as const);
      return json.includes('"') && !holds(json, /[“”„«»"\\]/)
        ? rewritten(json, ({ kind, text }) =>
            kind === "string" || kind === "name" ? open + text.slice(1, -1) + close : text,
          )
        : undefined;
    },
  },
  {
    name: "full-width punctuation",
    why: "it stands where only a colon or comma may stand",
    takes: "json",
    apply: (json) =>
      rewritten(json, ({ kind, text }) =>
        kind === "mark" ? text.replace(",", "，").replace(":", "：") : text,
      ),
  },
  {
    name: "terminal colours",
    why: "the sequences are of ECMA-48 and no data",
    takes: "json",
    apply: (json) =>
      rewritten(json, ({ kind, text }) =>
        kind === "name"
          ? `\u001B[34;1m${text}\u001B[0m`
          : kind === "string"
            ? `\u001B[32m${text}\u001B[0m`
            : text,
      ),
  },
  {
    name: "names escaped for Markdown",
    why: "no escape of an underscore exists, and without the mark the name is a declared one",
    takes: "json",
    apply: (json, _, { value, contract }) => {
      const declared = sitesOf(value, contract.part).filter(isDeclared);
      const names = new Set(declared.map(({ path }) => JSON.stringify(path.at(-1))));
      return rewritten(json, ({ kind, text }) =>
        kind === "name" && names.has(text) ? text.replaceAll("_", "\\_") : text,
      );
    },
  },
  {
    name: "quotes as code points",
    why: "the escape is that of a quotation mark, and no string holds one",
    takes: "json",
    apply: (json, draw) =>
      json.includes('"') && !holds(json, /[\\]/)
        ? json.replaceAll('"', draw.pick(["\\u0022", "\\x22"]))
        : undefined,
  },
  {
    name: "control characters at the end",
    why: "they are padding of a buffer",
    takes: "json",
    apply: (json, draw) => json + draw.pick(["\u0000\u0000", "\u0004", "\u001A"]),
  },
];

export const TRANSPORT_STYLES: readonly StyleDamage[] = [
  {
    name: "query string",
    why: "each parameter is a declared name, and its value is encoded",
    write: ({ value }) => {
      const members = flatMembers(value);
      return members === undefined || members.length < 2 || members.some(([, one]) => one === null)
        ? undefined
        : members.map(([name, one]) => `${name}=${encodeURIComponent(String(one))}`).join("&");
    },
  },
  {
    name: "environment variables",
    why: "each variable is a declared name in capitals, and its value is quoted",
    write: ({ value }) => {
      const lines = all(
        (flatMembers(value) ?? [undefined]).map((member) => {
          const text = member === undefined ? undefined : bareLine(member[1]);
          return member === undefined || text === undefined || /["$`\\']/.test(text)
            ? undefined
            : `export ${member[0].toUpperCase()}="${text}"`;
        }),
      );
      return lines?.join("\n");
    },
  },
  {
    name: "HTTP headers",
    why: "each header is a declared name with dashes, and its value is the rest of the line",
    write: ({ value }) =>
      all(
        (flatMembers(value) ?? [undefined]).map((member) => {
          const text = member === undefined ? undefined : bareLine(member[1]);
          return member === undefined || text === undefined
            ? undefined
            : `${member[0].replaceAll("_", "-")}: ${text}`;
        }),
      )?.join("\r\n"),
  },
];
