import type { paths } from "#shared/api/client";

type Method = "get" | "post" | "delete";

/** Addresses of the API that take a method, as its description has them. */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: M extends keyof paths[Path] ? Path : never;
}[keyof paths];

type Operation<M extends Method, Path extends PathWith<M>> = M extends keyof paths[Path]
  ? paths[Path][M]
  : never;

/** What an operation takes: the parts of its path, its query, its body. */
export interface Sent<M extends Method, Path extends PathWith<M>> {
  path?: Operation<M, Path> extends { parameters: { path: infer Parts } } ? Parts : never;
  query?: Operation<M, Path> extends { parameters: { query?: infer Query } } ? Query : never;
  body?: Operation<M, Path> extends {
    requestBody?: { content: { "application/json": infer Body } };
  }
    ? Body
    : never;
}

/** The JSON that an operation answers with. */
export type Answer<M extends Method, Path extends PathWith<M>> =
  Operation<M, Path> extends { responses: infer Responses }
    ? Extract<
        Responses[keyof Responses & (200 | 201 | 202)],
        { content: { "application/json": unknown } }
      >["content"]["application/json"]
    : never;

export type Call<M extends Method> = <Path extends PathWith<M>>(
  path: Path,
  sent?: Sent<M, Path>,
) => Promise<Answer<M, Path>>;
