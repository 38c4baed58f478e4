import type { Config } from "#shared/config";

/** Returns what all containers of the compose file have in common, and how it is used. */
export function composeHead(trust: Config["trust"]): string {
  // The default profile is not named: what is not set is it.
  return trust === "isolated"
    ? HEAD.replace(DATA_DIR_LINE, `${DATA_DIR_LINE}  SUTURE_TRUST: isolated\n`)
    : HEAD;
}

const DATA_DIR_LINE = "  SUTURE_DATA_DIR: /var/suture\n";

const HEAD = `# Suture on one Docker host, one container for each service and each agent:
#
#   OPENAI_API_KEY=… docker compose up --build
#
# Written by "npx suture compose write"; a test keeps it the same. For teams of your own:
#
#   SUTURE_TEAMS=my-teams npx suture compose write --out docker-compose.yml
#
# With SUTURE_TRUST=isolated there too it writes the file of the stricter profile: docs/operating/trust.md.
#
# A model is needed here (any OpenAI-compatible endpoint: set OPENAI_BASE_URL and the names of its models too); to try
# Suture without one, use \`npm run demo\`. The API key: docker compose exec gateway cat /run/secrets/api-keys
#
# Pin images by digest: VALKEY_IMAGE=valkey/valkey@sha256:… and, for a build of your own, SUTURE_IMAGE=…@sha256:….
# SECURITY.md says what this arrangement promises, docs/operating/compose.md how to operate it.

x-hardened: &hardened
  restart: unless-stopped
  # Longer than SUTURE_STOP_GRACE_MS, in which work in hand is finished or given back.
  stop_grace_period: 30s
  read_only: true
  cap_drop: [ALL]
  security_opt: ["no-new-privileges:true"]
  pids_limit: 256
  mem_limit: \${SUTURE_CONTAINER_MEMORY:-512m}

x-image: &image
  build: { context: ., dockerfile: deploy/Dockerfile }
  image: \${SUTURE_IMAGE:-suture:latest}

x-environment: &environment
  # Secrets are files of the container's own; no environment holds one.
  REDIS_URL: "@/run/secrets/redis-url"
  SUTURE_KEYS: "@/run/secrets/keys.json"
  SUTURE_DATA_DIR: /var/suture
  # For a Redis of your own, see docs/operating/compose.md.
  SUTURE_REDIS_DURABILITY: \${SUTURE_REDIS_DURABILITY:-}
  SUTURE_REDIS_REPLICAS_MIN: \${SUTURE_REDIS_REPLICAS_MIN:-}
  SUTURE_REDIS_WAIT_MS: \${SUTURE_REDIS_WAIT_MS:-}
  SUTURE_REDIS_TLS_CA: \${SUTURE_REDIS_TLS_CA:-}
  SUTURE_REDIS_TLS_SERVERNAME: \${SUTURE_REDIS_TLS_SERVERNAME:-}
  # The address of the endpoint is no secret; with it a service knows that this is no rehearsal.
  OPENAI_BASE_URL: \${OPENAI_BASE_URL:-https://api.openai.com/v1}
  # Where payments, tickets and CRM of the sample teams are; your own teams have their own.
  SUTURE_SANDBOX_URL: \${SUTURE_SANDBOX_URL:-http://sandbox:8082}
  # Health and metrics of agents, surgeon and console, for Prometheus on the network \`inside\`. The gateway has its own.
  SUTURE_HEALTH_HOST: 0.0.0.0
  SUTURE_HEALTH_PORT: "9090"
  OTEL_EXPORTER_OTLP_ENDPOINT: \${OTEL_EXPORTER_OTLP_ENDPOINT:-}
  LOG_LEVEL: \${LOG_LEVEL:-info}

x-model: &model
  OPENAI_API_KEY: "@/run/secrets/model-key"
  SUTURE_MODEL_ROUTER: \${SUTURE_MODEL_ROUTER:-}
  SUTURE_MODEL_WORKER: \${SUTURE_MODEL_WORKER:-}
  SUTURE_MODEL_SURGEON: \${SUTURE_MODEL_SURGEON:-}

x-suture: &suture
  <<: [*image, *hardened]
  healthcheck: &healthcheck
    test: ["CMD", "node", "infra/probe.mjs", "http://127.0.0.1:9090/readyz"]
    interval: 10s
    timeout: 5s
    start_period: 60s
  depends_on:
    redis: { condition: service_healthy }
    keys: { condition: service_completed_successfully }

x-agent: &agent
  <<: *suture
  networks: [inside]
  environment:
    <<: *environment

x-model-agent: &model-agent
  <<: *suture
  networks: [inside, outside]
  environment:
    <<: [*environment, *model]
`;
