import { readFileSync, writeFileSync } from "node:fs";
import { loadConfig } from "#shared/config";
import type { Team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { write } from "../print/print-answer.ts";
import {
  agentContainers,
  isPackage,
  ONE_AGENT,
  readerContainers,
  redisContainer,
  serviceContainers,
} from "./containers.ts";
import type { AgentContainer, ComposeChoices, Container } from "./containers.ts";

/** Data folder of every container, a volume or memory. Not in the image, so that a new volume takes over nothing. */
const DATA_DIR = "/var/suture";
const SECRETS_DIR = "/run/secrets";
/** Folder in which the container that writes secrets sees those of all others. */
const ALL_SECRETS_DIR = "/secrets";
const ALL_VOLUMES_DIR = "/volumes";

/** Paths and commands of this repository, and those that stand for them in a project that has installed the package. */
const OUTSIDE: readonly (readonly [RegExp, string])[] = [
  [/"services\/(\w+)\/main\.ts"/g, '"node_modules/suture/service.js", "$1"'],
  [/services\/cli\/main\.ts/g, "node_modules/suture/suture.js"],
  [/infra\/probe\.sh/g, "node_modules/suture/infra/probe.sh"],
  [/\.\/infra\/redis\/redis\.conf/g, "./redis.conf"],
  [/dockerfile: deploy\/Dockerfile/g, "dockerfile: Dockerfile"],
  [
    /SUTURE_TEAMS=my-teams npx suture compose write --out docker-compose\.yml/g,
    "npx suture compose write --out compose.yml",
  ],
  [/npm run demo/g, "npm run dev"],
];

const TEMPLATE = new URL("template.yml", import.meta.url);
const READER = new URL("reader.yml", import.meta.url);

/** Writes the compose file of the loaded teams to a file, or with `-` to standard output. */
export async function writeComposeFile({
  out,
  ...choices
}: ComposeChoices & { readonly out: string }): Promise<void> {
  const text = composeFile(await loadTeams(loadConfig().teamsDir), choices);
  if (out === "-") return void process.stdout.write(text);
  writeFileSync(out, text);
  write(`The compose file is in ${out}. Start it with "docker compose up --build".`);
}

/** Returns the compose file for these teams: the services, and one container for each agent. */
export function composeFile(teams: readonly Team[], choices: ComposeChoices): string {
  const redis = redisContainer();
  const services = serviceContainers();
  const agents = agentContainers(teams, choices);
  const readers = readerContainers(agents);
  const all = [redis, ...services, ...readers, ...agents];
  const texts: Readonly<Record<string, string>> = {
    "redis uid": String(redis.uid),
    "redis gid": String(redis.gid),
    "file teams": choices.fileTeams.map((team) => `      - ${team}`).join("\n"),
    "mounts of keys": mountsOfKeys(all),
    reader: readers.map((one) => readFileSync(READER, "utf8").replace("{{own}}", own(one))).join(""),
    agents: agents.map(agentService).join("\n"),
    volumes: volumes(all),
    ...Object.fromEntries(services.map((service) => [`own ${service.name}`, own(service)])),
  };
  const text = readFileSync(TEMPLATE, "utf8").replaceAll(/\{\{(.+?)\}\}/g, (_, name: string) => {
    const part = texts[name];
    if (part === undefined) throw new RangeError(`template.yml names an unknown part: ${name}`);
    return part;
  });
  return isPackage
    ? OUTSIDE.reduce((file, [inside, outside]) => file.replaceAll(inside, outside), text)
    : text;
}

/** Options of containers that isolate code: an engine's own profiles forbid namespaces and mounts. */
const ISOLATING = [
  '"no-new-privileges:true"',
  '"seccomp=deploy/sandbox-seccomp.json"',
  '"apparmor=unconfined"',
];

/** Returns what differs between any two containers: user, secrets and folders. */
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
    ...(container.isolatesCode === true ? [`    security_opt: [${ISOLATING.join(", ")}]`] : []),
  ].join("\n");
}

function agentService(container: AgentContainer): string {
  const options = [...ONE_AGENT, "services/agents/main.ts", `--team=${container.team}`, container.agent];
  return `  ${container.name}:
    <<: *${container.kind}
    command: [${["node", ...options].map((word) => `"${word}"`).join(", ")}]
${own(container)}
`;
}

function secretsVolume({ name }: Container): string {
  return `secrets-${name}`;
}

function withSecrets(containers: readonly Container[]): readonly Container[] {
  return containers.filter(({ secrets }) => secrets.length > 0);
}

function dataVolumes(containers: readonly Container[]): string[] {
  return [...new Set(containers.flatMap(({ volume }) => volume ?? []))];
}

function mountsOfKeys(containers: readonly Container[]): string {
  const mounts = [
    `data:${DATA_DIR}`,
    ...withSecrets(containers).map((one) => `${secretsVolume(one)}:${ALL_SECRETS_DIR}/${one.name}`),
    ...dataVolumes(containers).map((volume) => `${volume}:${ALL_VOLUMES_DIR}/${volume}`),
  ];
  return mounts.map((mount) => `      - ${mount}`).join("\n");
}

function volumes(containers: readonly Container[]): string {
  const given = withSecrets(containers).map(secretsVolume);
  const names = ["data", "redis", ...dataVolumes(containers), ...given];
  return ["volumes:", ...names.map((name) => `  ${name}:`)].join("\n");
}
