/** A JSON Schema (2020-12), such as `z.toJSONSchema` writes it, with our `x-` keywords from `.meta()`. */
export type JsonSchema = { readonly [keyword: string]: unknown };
