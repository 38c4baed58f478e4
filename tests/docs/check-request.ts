import type { z } from "zod";

interface Declared {
  readonly method: string;
  readonly path: string;
  readonly body?: z.ZodType;
}

/** Options of curl that are followed by a value. */
const WITH_VALUE = new Set(["-H", "-X", "-d", "-o", "--data", "--header", "--request"]);

/** Returns what a call of `curl` asks for that the API does not declare: its operation, and its JSON body. */
export function findRequestFault(
  args: readonly string[],
  api: Readonly<Record<string, Declared>>,
): string | null {
  const values = (name: string): string[] => args.filter((_one, index) => args[index - 1] === name);
  const address = args.find((one, index) => !one.startsWith("-") && !WITH_VALUE.has(args[index - 1] ?? ""));
  const path = /^(?:http:\/\/)?(?:localhost|127\.0\.0\.1):\d+(\/[^?]*)/.exec(address ?? "")?.[1];
  if (path === undefined || ["/openapi.json", "/docs"].includes(path)) return null;
  const [body] = values("-d");
  const method = values("-X")[0] ?? (body === undefined ? "GET" : "POST");
  const operation = Object.values(api).find((one) => one.method === method && fits(one.path, path));
  if (operation === undefined) return `${method} ${path}: no such operation`;
  if (body === undefined || operation.body === undefined) return null;
  const parsed = operation.body.safeParse(JSON.parse(body));
  return parsed.success ? null : `${method} ${path}: ${parsed.error.message}`;
}

function fits(declared: string, path: string): boolean {
  const [wanted, given] = [declared.split("/"), path.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(":") || part === given[index])
  );
}
