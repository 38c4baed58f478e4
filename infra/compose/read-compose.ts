import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const condition = z.enum(["service_started", "service_healthy", "service_completed_successfully"]);

const healthcheck = z
  .strictObject({
    test: z.array(z.string()).default([]),
    disable: z.boolean().default(false),
    interval: z.string().optional(),
    timeout: z.string().optional(),
    start_period: z.string().optional(),
    retries: z.int().optional(),
  })
  .transform((check) => (check.disable ? null : check));

/** Every key that a service may have here: what the rehearsal does not know is refused, never passed over. */
const serviceSchema = z.strictObject({
  image: z.string(),
  build: z
    .strictObject({ context: z.literal("."), dockerfile: z.enum(["deploy/Dockerfile", "Dockerfile"]) })
    .optional(),
  command: z.array(z.string()).min(1),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.strictObject({ condition })).default({}),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  restart: z.enum(["no", "unless-stopped"]).default("no"),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .default("10s"),
  // Null where none is declared: such a service cannot be waited for as healthy.
  healthcheck: healthcheck.nullable().default(null),
  user: z
    .string()
    .regex(/^\d+:\d+$/)
    .transform((text) => {
      const [uid = 0, gid = 0] = text.split(":").map(Number);
      return { uid, gid };
    }),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal("ALL")]),
  cap_add: z.array(z.enum(["CHOWN", "DAC_OVERRIDE"])).default([]),
  security_opt: z.tuple([z.literal("no-new-privileges:true")]),
  pids_limit: z.int().min(1),
  mem_limit: z.string().min(1),
  networks: z.array(z.string()).default([]),
  network_mode: z.literal("none").optional(),
});

/** A service of the compose file, with its variables interpolated. */
export type ComposeService = z.output<typeof serviceSchema>;

const fileSchema = z
  .looseObject({
    services: z.record(z.string(), serviceSchema),
    volumes: z.record(z.string(), z.null()),
    networks: z.record(z.string(), z.strictObject({ internal: z.boolean().default(false) })),
  })
  .refine(
    (file) =>
      Object.keys(file).every(
        (key) => ["services", "volumes", "networks"].includes(key) || key.startsWith("x-"),
      ),
    "has a key at its top that the rehearsal does not know",
  );

/** A compose file as `docker compose` reads it: its services, volumes and networks. */
export type ComposeFile = z.output<typeof fileSchema>;

/** Reads a compose file as `docker compose` does. @throws {Error} A variable is missing, or a key is not known here. */
export function readCompose(path: string, env: Readonly<Record<string, string>>): ComposeFile {
  // Each of dozens of containers takes over what all have in common.
  const parsed: unknown = parse(readFileSync(path, "utf8"), { merge: true, maxAliasCount: -1 });
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
