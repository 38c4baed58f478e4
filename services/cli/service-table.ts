import type { VariableName } from "#shared/config";

/** A service of a deployment, as the launcher, the compose writer and the doctor need it. */
export interface Service {
  /** The secrets it is given, beside Redis' own. Every service but `rehearsal` also has the address of Redis. */
  readonly secrets: readonly VariableName[];
  readonly usesRedis: boolean;
  /** Edge keys it gets. `own`: of its own name; `agents`: of the agents it runs. */
  readonly keys: "own" | "agents" | null;
}

/** Every service, by its folder below `services`. */
export const SERVICES = {
  gateway: { secrets: ["SUTURE_API_KEYS"], usesRedis: true, keys: "own" },
  surgeon: { secrets: ["OPENAI_API_KEY", "SUTURE_WEBHOOKS"], usesRedis: true, keys: "own" },
  console: {
    secrets: ["SUTURE_API_KEYS", "OPENAI_API_KEY", "SUTURE_ATTACHED_REDIS_URL"],
    usesRedis: true,
    keys: null,
  },
  agents: {
    secrets: [
      "OPENAI_API_KEY",
      "SUTURE_SOURCES_KEY",
      "SUTURE_SHOP_TOKEN",
      "SUTURE_DESK_TOKEN",
      "SUTURE_CRM_TOKEN",
      "SUTURE_SMTP_URL",
    ],
    usesRedis: true,
    keys: "agents",
  },
  rehearsal: { secrets: [], usesRedis: false, keys: null },
} as const satisfies Readonly<Record<string, Service>>;

export type ServiceName = keyof typeof SERVICES;

/** Returns true when a service has a use for a secret. */
export function needsSecret(service: ServiceName, secret: VariableName): boolean {
  const { secrets }: Service = SERVICES[service];
  return secrets.includes(secret);
}
