import { z } from "zod";
import { readGenerations } from "../../launcher/key-files.ts";
import { failed, ok, open, unlessFound } from "../finding.ts";
import type { Finding, Subject } from "../finding.ts";
import { fileOfVariable, readVariable } from "../service-processes.ts";
import type { ServiceProcess } from "../service-processes.ts";

const ringSchema = z.looseObject({
  keys: z.array(
    z.looseObject({
      key_id: z.string(),
      alg: z.string(),
      from: z.string(),
      to: z.string(),
      use: z.string(),
    }),
  ),
});

/** A process with its keys, and with those of them that sign. */
interface Holder extends ServiceProcess {
  readonly ring: z.output<typeof ringSchema>["keys"];
  readonly signing: z.output<typeof ringSchema>["keys"];
}

const RENEW = "Issue the keys anew and restart";

/** Checks the keyrings of running services: what they may sign, and with which keys. */
export function checkEdgeKeys({ config, processes }: Subject): readonly Finding[] {
  const held = (processes ?? []).flatMap((one) => holderOf(one));
  if (held.length === 0) return [];
  return [signersOf(held), generationsOf(held, config.dataDir)];
}

function signersOf(held: readonly Holder[]): Finding {
  const check = "signers of a process";
  const most = Math.max(...held.map((one) => signersIn(one).length));
  if (most > 1)
    return open(
      check,
      `one process signs for up to ${most} agents`,
      "Run one agent in a process: suture work AGENT, or docker-compose.yml",
    );
  const foreign = held.flatMap((one) => {
    const own: readonly string[] = one.services.includes("agents")
      ? [...one.services, ...one.commandLine]
      : one.services;
    const others = signersIn(one).filter((from) => !own.includes(from));
    return others.map((from) => `${from} by ${one.service} ${one.pid}`);
  });
  return unlessFound(check, foreign, {
    none: "no process signs for two",
    some: "signed for by another: ",
    todo: "Give each process its own key file, and rotate the keys",
    state: "open",
  });
}

function signersIn({ signing }: Holder): string[] {
  return [...new Set(signing.map(({ from }) => from))];
}

function generationsOf(held: readonly Holder[], dataDir: string): Finding {
  const check = "key generations";
  const { signing: wanted } = readGenerations(dataDir);
  const generationOf = ({ key_id }: { readonly key_id: string }) => Number(key_id.split("#")[1] ?? 0);
  const newest = new Set(held.map(({ signing }) => Math.max(0, ...signing.map(generationOf))));
  const told = `services sign with ${[...newest].join(" and ")}`;
  return newest.size === 1 && Math.max(...newest) >= wanted
    ? ok(check, `all ${told}`)
    : failed(check, `${told}, the issuer says ${wanted}`, RENEW);
}

function holderOf(process: ServiceProcess): Holder[] {
  if (fileOfVariable(process, "SUTURE_KEYS") === null) return [];
  try {
    const { keys: ring } = ringSchema.parse(JSON.parse(readVariable(process, "SUTURE_KEYS")));
    return [{ ...process, ring, signing: ring.filter(({ use }) => use === "sign_verify") }];
  } catch {
    return [];
  }
}
