/** One piece of a report, whatever it is written as. */
export type Block =
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | {
      readonly kind: "table";
      readonly heads: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

export const heading = (level: 1 | 2 | 3, text: string): Block => ({ kind: "heading", level, text });

export const paragraph = (text: string): Block => ({ kind: "text", text });

export const list = (items: readonly string[]): Block[] =>
  items.length === 0 ? [] : [{ kind: "list", items }];

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): Block[] =>
  rows.length === 0 ? [] : [{ kind: "table", heads, rows }];
