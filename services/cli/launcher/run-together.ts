import { extname } from "node:path";
import { Secret } from "#shared/config";
import { runServices } from "#shared/runtime/service";
import type { Service } from "#shared/runtime/service";
import { readRedisPasswords, urlWithLogin } from "../keys/redis-users.ts";

// All services in one process: run-together.ts gateway,surgeon,agents AGENT… What takes work in starts last.
const ROLES = ["gateway", "surgeon", "console"] as const;
const ROUNDS = [["rehearsal"], ["surgeon", "agents"], ["gateway", "console"]];

// The rest of the command line is names of agents.
const [services = ""] = process.argv.splice(2, 1);
const wanted = services.split(",");

async function load(name: string): Promise<Service> {
  const url = new URL(`../../${name}/service${extname(import.meta.filename)}`, import.meta.url);
  // By address, because no service imports another; each folder's `service.ts` exports this.
  const { service } = (await import(url.href)) as { readonly service: Service };
  return withOwnLogin(service);
}

/** Logs the service in to Redis as its own role, where there are users. */
function withOwnLogin({ name, open }: Service): Service {
  const user = name === "agents" ? "agent" : ROLES.find((role) => role === name);
  return {
    name,
    open: (config, logger) => {
      const { redisUrl, redisUsersFile } = config;
      if (redisUrl === null || redisUsersFile === null || user === undefined) return open(config, logger);
      const url = urlWithLogin(redisUrl.reveal(), user, readRedisPasswords(redisUsersFile));
      return open({ ...config, redisUrl: new Secret(url) }, logger);
    },
  };
}

const rounds = ROUNDS.map((round) => Promise.all(round.filter((name) => wanted.includes(name)).map(load)));
await runServices("suture", await Promise.all(rounds));
