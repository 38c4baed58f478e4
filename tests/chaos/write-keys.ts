import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMaster, issueKeyring, issueVerifyingKeyring, Keyring } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import type { ServiceName } from "./plan/fault.ts";

export interface Keys {
  /** File with the keys of each process. */
  readonly files: Readonly<Record<ServiceName, string>>;
  /** All keys of the run, for forging with a true key in a wrong place. */
  readonly keyring: Keyring;
}

/** Each process gets the keys of its own edges and no others, as `suture keys` issues them. */
export async function writeKeys(folder: string, teamsDir: string): Promise<Keys> {
  const teams = await loadTeams(teamsDir);
  const master = createMaster();
  const edges = edgesOf(teams);
  const merge = (agents: readonly string[]): Keyring =>
    Keyring.merge(agents.map((agent) => issueKeyring({ master, agent, edges })));
  const write = (name: string, keyring: Keyring): string => {
    const file = join(folder, `${name}.keys.json`);
    writeFileSync(file, keyring.exportJson(), { mode: 0o600 });
    return file;
  };
  const names = teams.flatMap((team) => [...team.agents.keys()]);
  const agents = write("agents", merge(names));
  return {
    keyring: merge([...names, "gateway"]),
    files: {
      "agents-1": agents,
      "agents-2": agents,
      gateway: write("gateway", merge(["gateway"])),
      surgeon: write(
        "surgeon",
        Keyring.merge([merge(["surgeon"]), issueVerifyingKeyring({ master, edges })]),
      ),
    },
  };
}
