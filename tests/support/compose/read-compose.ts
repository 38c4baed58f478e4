import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const condition = z.enum(["service_started", "service_healthy", "service_completed_successfully"]);

const serviceSchema = z.looseObject({
  command: z.array(z.string()).min(1),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition })).default({}),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  restart: z.string().default("no"),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .default("10s"),
  // Null where none is declared: such a service cannot be waited for as healthy.
  healthcheck: z
    .object({ test: z.array(z.string()).default([]), disable: z.boolean().default(false) })
    .transform((check) => (check.disable ? null : check))
    .nullable()
    .default(null),
});

/** A service of the compose file, with its variables interpolated. */
export type ComposeService = z.output<typeof serviceSchema>;

const fileSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.unknown()),
});

/** What `docker compose` makes of a compose file: its services and the names of its volumes. */
export type ComposeFile = z.output<typeof fileSchema>;

/**
 * Reads a compose file as `docker compose` does: merge keys are followed and variables taken from `env`.
 *
 * @throws {Error} A variable that the file requires is not set.
 */
export function readCompose(path: string, env: Readonly<Record<string, string>>): ComposeFile {
  const parsed: unknown = parse(readFileSync(path, "utf8"), { merge: true });
  return fileSchema.parse(interpolate(parsed, env));
}

function interpolate(value: unknown, env: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string") return interpolateText(value, env);
  if (Array.isArray(value)) return value.map((entry) => interpolate(entry, env));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, interpolate(entry, env)]));
}

/** The forms that compose knows and this file uses: `$$`, `${NAME}`, `${NAME:-default}` and `${NAME:?problem}`. */
function interpolateText(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$\$|\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
    (found: string, name: string | undefined, form: string | undefined, word: string | undefined) => {
      if (name === undefined) return "$";
      const value = env[name] ?? "";
      if (value !== "" || form === undefined) return value;
      if (form === "?") throw new Error(`${found} is not set`);
      return word ?? "";
    },
  );
}
