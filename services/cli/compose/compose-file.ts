import type { Team } from "#shared/runtime";
import { agentContainers, redisContainer, serviceContainers } from "./containers.ts";
import type { AgentContainer, ComposeChoices, Container } from "./containers.ts";
import { composeHead } from "./compose-head.ts";

/** Data folder of every container, a volume or memory. Not in the image, so that a new volume takes over nothing. */
const DATA_DIR = "/var/suture";
const SECRETS_DIR = "/run/secrets";
/** Where the container that writes secrets sees those of all others. */
const ALL_SECRETS_DIR = "/secrets";
const ALL_VOLUMES_DIR = "/volumes";

/** Returns the compose file for these teams: the services, and one container for each agent. */
export function composeFile(teams: readonly Team[], choices: ComposeChoices): string {
  const services = serviceContainers(choices);
  const agents = agentContainers(teams, choices);
  const parts = [
    composeHead(choices.trust),
    "services:",
    redis(redisContainer()),
    keys([redisContainer(), ...services, ...agents], choices),
    ...services.map((service) => SERVICE_TEXTS[service.name]?.(service) ?? ""),
    "  # Agents, one container for each.",
    ...agents.map(agentService),
    networks(),
    volumes([redisContainer(), ...services, ...agents]),
  ];
  return `${parts.join("\n")}\n`;
}

/** User, secrets and folders of a container: what differs between any two. */
function own(container: Container): string {
  const { uid, gid, volume } = container;
  const memory = (path: string): string => `"${path}:uid=${uid},gid=${gid},mode=0700"`;
  const tmpfs = volume === null ? [memory("/tmp"), memory(DATA_DIR)] : [memory("/tmp")];
  const mounts = [
    ...(container.secrets.length === 0 ? [] : [`"${secretsVolume(container)}:${SECRETS_DIR}:ro"`]),
    ...(volume === null ? [] : [`"${volume}:${DATA_DIR}"`]),
  ];
  return [
    `    user: "${uid}:${gid}"`,
    `    volumes: [${mounts.join(", ")}]`,
    `    tmpfs: [${tmpfs.join(", ")}]`,
  ].join("\n");
}

function secretsVolume({ name }: Container): string {
  return `secrets-${name}`;
}

function redis(container: Container): string {
  return `  redis:
    <<: *hardened
    image: \${VALKEY_IMAGE:-valkey/valkey:8-alpine}
    command:
      - valkey-server
      - /etc/suture/redis.conf
      - --dir
      - /data
      - --aclfile
      - ${SECRETS_DIR}/users.acl
      - --maxmemory
      - \${SUTURE_REDIS_MAXMEMORY:-1gb}
      - --protected-mode
      - "no"
    mem_limit: \${SUTURE_REDIS_MEMORY:-2g}
    # The user of the server in the image, who owns the volume's folder.
    user: "${container.uid}:${container.gid}"
    volumes:
      - ./infra/redis/redis.conf:/etc/suture/redis.conf:ro
      - ${secretsVolume(container)}:${SECRETS_DIR}:ro
      - redis:/data
    tmpfs: ["/tmp:uid=${container.uid},gid=${container.gid},mode=0700"]
    networks: [inside]
    depends_on:
      keys: { condition: service_completed_successfully }
    healthcheck:
      # A user that may ask whether Redis answers, and nothing else.
      test: ["CMD", "valkey-cli", "--user", "health", "--pass", "health", "--no-auth-warning", "-e", "ping"]
      interval: 2s
      timeout: 2s
      retries: 30
`;
}

function keys(containers: readonly Container[], { fileTeams, trust }: ComposeChoices): string {
  const given = containers.filter(({ secrets }) => secrets.length > 0);
  const kept = [...new Set(containers.map(({ volume }) => volume))].filter((volume) => volume !== null);
  const mounts = [
    `data:${DATA_DIR}`,
    ...given.map((one) => `${secretsVolume(one)}:${ALL_SECRETS_DIR}/${one.name}`),
    ...kept.map((volume) => `${volume}:${ALL_VOLUMES_DIR}/${volume}`),
  ];
  return `  # Writes into each volume of secrets what its container needs, and ends. The only one that sees the master, which it
  # keeps in the volume \`data\`. Doing it again issues the same keys.
  keys:
    <<: [*image, *hardened]
    command:
      - node
      - --disable-sigusr1
      - services/cli/main.ts
      - compose
      - secrets
      - --out
      - ${ALL_SECRETS_DIR}
      - --volumes
      - ${ALL_VOLUMES_DIR}
      - --redis
      - \${REDIS_URL:-redis://redis:6379}
      - --file-teams
${fileTeams.map((team) => `      - ${team}`).join("\n")}
    restart: "no"
    # Gives each file and folder to the group of its container; reads what earlier releases wrote as another user.
    user: "0:0"
    cap_add: [CHOWN, DAC_OVERRIDE]
    network_mode: none
    healthcheck: { disable: true }
    environment:
      SUTURE_DATA_DIR: ${DATA_DIR}
${trust === "isolated" ? "      SUTURE_TRUST: isolated\n" : ""}      OPENAI_API_KEY: \${OPENAI_API_KEY:?set it, or run \`npm run demo\`, which needs no model}
      SUTURE_API_KEYS: \${SUTURE_API_KEYS:-}
      SUTURE_BRIDGE_CLUSTER: \${SUTURE_BRIDGE_CLUSTER:-}
      SUTURE_BRIDGE_PEERS: \${SUTURE_BRIDGE_PEERS:-}
    tmpfs: ["/tmp:mode=0700"]
    volumes:
${mounts.map((mount) => `      - ${mount}`).join("\n")}
`;
}

const SERVICE_TEXTS: Readonly<Record<string, (container: Container) => string>> = {
  gateway: (container) => `  gateway:
    <<: *suture
    command: ["node", "--disable-sigusr1", "services/gateway/main.ts"]
${own(container)}
    environment:
      <<: *environment
      SUTURE_GATEWAY_HOST: 0.0.0.0
      SUTURE_API_KEYS: "@${SECRETS_DIR}/api-keys"
    networks: [inside, outside]
    ports: ["127.0.0.1:8080:8080"]
    healthcheck:
      <<: *healthcheck
      test: ["CMD", "node", "infra/probe.mjs", "http://127.0.0.1:8080/readyz"]
`,
  surgeon: (container) => `  surgeon:
    <<: *suture
    command: ["node", "--disable-sigusr1", "services/surgeon/main.ts"]
${own(container)}
    environment:
      <<: [*environment, *model]
    networks: [inside, outside]
`,
  console: (container) => `  console:
    <<: *suture
    command: ["node", "--disable-sigusr1", "services/console/main.ts"]
${own(container)}
    environment:
      <<: *environment
      SUTURE_CONSOLE_HOST: 0.0.0.0
      SUTURE_API_KEYS: "@${SECRETS_DIR}/api-keys"
    networks: [inside, outside]
    ports: ["127.0.0.1:8081:8081"]
`,
  relay: (container) => `  # Verifies and delivers what isolated agents ask for, as many of it as you like.
  relay:
    <<: *suture
    command: ["node", "--disable-sigusr1", "services/relay/main.ts"]
${own(container)}
    environment:
      <<: *environment
    networks: [inside]
`,
  bridge: (
    container,
  ) => `  # Joins this cluster to others, see docs/guides/bridge.md: \`docker compose --profile bridge up\`. Leave out the
  # containers of agents that live elsewhere.
  bridge:
    <<: *suture
    profiles: ["bridge"]
    command: ["node", "--disable-sigusr1", "services/bridge/main.ts"]
${own(container)}
    environment:
      <<: *environment
      SUTURE_BRIDGE_CLUSTER: \${SUTURE_BRIDGE_CLUSTER:-}
      SUTURE_BRIDGE_PEERS: "@${SECRETS_DIR}/bridge-peers"
      SUTURE_BRIDGE_HOST: 0.0.0.0
    networks: [inside, outside]
    ports: ["127.0.0.1:8083:8083"]
    healthcheck:
      <<: *healthcheck
      test: ["CMD", "node", "infra/probe.mjs", "http://127.0.0.1:8084/readyz"]
`,
  sandbox: (
    container,
  ) => `  # Payments, tickets and customers of the sample teams. Not needed with teams of your own.
  sandbox:
    <<: *suture
    command: ["node", "--disable-sigusr1", "services/rehearsal/main.ts"]
${own(container)}
    environment:
      SUTURE_DATA_DIR: ${DATA_DIR}
      SUTURE_REHEARSAL_HOST: 0.0.0.0
      LOG_LEVEL: \${LOG_LEVEL:-info}
    networks: [inside]
    depends_on:
      keys: { condition: service_completed_successfully }
    healthcheck:
      <<: *healthcheck
      test: ["CMD", "node", "infra/probe.mjs", "http://127.0.0.1:8082/healthz"]
`,
};

function agentService(container: AgentContainer): string {
  return `  ${container.name}:
    <<: *${container.asksModels ? "model-agent" : "agent"}
    command: ["node", "--disable-sigusr1", "services/agents/main.ts", "${container.agent}"]
${own(container)}
`;
}

function networks(): string {
  return `networks:
  # Redis and all that speak to it; no way out.
  inside: { internal: true }
  # A way out, to models and webhooks, and the published ports.
  outside: {}
`;
}

function volumes(containers: readonly Container[]): string {
  const kept = containers.flatMap(({ volume }) => (volume === null ? [] : [volume]));
  const given = containers.filter(({ secrets }) => secrets.length > 0).map(secretsVolume);
  const names = ["data", "redis", ...new Set(kept), ...given];
  return ["volumes:", ...names.map((name) => `  ${name}:`)].join("\n");
}
