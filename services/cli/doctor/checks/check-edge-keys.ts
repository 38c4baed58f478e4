import { edgesOf } from "#shared/runtime";
import { z } from "zod";
import { readGenerations } from "../../launcher/key-files.ts";
import { failed, ok, unlessIsolated } from "../finding.ts";
import type { Finding } from "../finding.ts";
import { fileOfVariable, readVariable } from "../service-processes.ts";
import type { ServiceProcess } from "../service-processes.ts";
import type { Subject } from "../subject.ts";

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

type Ring = z.output<typeof ringSchema>["keys"];

/** Checks the keyrings of running services: what they may sign, and whether every edge is covered. */
export function checkEdgeKeys({ config, teams, processes, profile }: Subject): readonly Finding[] {
  const held = (processes ?? []).flatMap((one) => {
    const ring = ringOf(one);
    return ring === null ? [] : [{ ...one, ring }];
  });
  if (held.length === 0) return [];
  const edges = edgesOf(teams)
    // A relay works where agents are isolated, and nowhere else.
    .filter(({ from }) => from !== "relay" || profile === "isolated")
    .map(({ from, to }) => `${from}>${to}`);
  const signed = new Set(held.flatMap(({ ring }) => signing(ring).map(({ from, to }) => `${from}>${to}`)));
  // A container sees its own process alone.
  const missing = held.length > 1 ? edges.filter((edge) => !signed.has(edge)) : [];
  return [
    missing.length === 0
      ? ok("edge keys", `${signed.size} edges are signed for, by ${held.length} processes`)
      : failed("edge keys", `nobody seals ${some(missing)}`, "Issue the keys anew and restart"),
    signersOf(held, profile),
    kindsOf(held, profile),
    generationsOf(held, config.dataDir),
  ];
}

function signersOf(
  held: readonly (ServiceProcess & { readonly ring: Ring })[],
  profile: Subject["profile"],
): Finding {
  const check = "signers of a process";
  const most = Math.max(...held.map(({ ring }) => new Set(signing(ring).map(({ from }) => from)).size));
  const foreign = held.flatMap((one) =>
    foreignSigners(one).map((from) => `${from} by ${one.service} ${one.pid}`),
  );
  if (most <= 1 && foreign.length > 0)
    return unlessIsolated(profile, {
      check,
      seen: `signed for by another: ${foreign.join(", ")}`,
      todo: "Give each process its own key file, and rotate the keys",
    });
  if (most <= 1) return ok(check, "no process signs for two");
  return unlessIsolated(profile, {
    check,
    seen: `one process signs for up to ${most} agents`,
    todo: "Run one agent in a process: suture work AGENT, or docker-compose.yml",
  });
}

function kindsOf(held: readonly { readonly ring: Ring }[], profile: Subject["profile"]): Finding {
  const check = "shared secrets";
  const shared = new Set(
    held.flatMap(({ ring }) => ring.filter(({ alg }) => alg === "HS256").map(({ key_id }) => key_id)),
  );
  if (shared.size === 0) return ok(check, "every key is an Ed25519 pair: only its sender can seal with it");
  return unlessIsolated(profile, {
    check,
    seen: `whoever verifies with ${some([...shared])} can seal with it`,
    todo: "suture keys rotate, twice, with SUTURE_TRUST=isolated; then retire what was before",
  });
}

/** Returns the foreign agents that a process signs for. */
function foreignSigners({ services, commandLine, ring }: ServiceProcess & { readonly ring: Ring }): string[] {
  const own: readonly string[] = services.includes("agents") ? [...services, ...commandLine] : services;
  return [...new Set(signing(ring).map(({ from }) => from))].filter((from) => !own.includes(from));
}

function generationsOf(held: readonly { readonly ring: Ring }[], dataDir: string): Finding {
  const check = "key generations";
  const { signing: wanted } = readGenerations(dataDir);
  const newest = new Set(held.map(({ ring }) => newestOf(ring)));
  if (newest.size > 1)
    return failed(
      check,
      `services sign with ${[...newest].join(" and ")}`,
      "Issue the keys anew and restart",
    );
  const [only = wanted] = newest;
  return only < wanted
    ? failed(
        check,
        `services sign with ${only}, the issuer says ${wanted}`,
        "Issue the keys anew and restart",
      )
    : ok(check, `all sign with ${only}`);
}

function newestOf(ring: Ring): number {
  return Math.max(...signing(ring).map((key) => Number(key.key_id.split("#")[1] ?? 0)), 0);
}

function signing(ring: Ring): Ring {
  return ring.filter(({ use }) => use === "sign_verify");
}

function ringOf(process: ServiceProcess): Ring | null {
  if (fileOfVariable(process, "SUTURE_KEYS") === null) return null;
  try {
    const parsed = ringSchema.safeParse(JSON.parse(readVariable(process, "SUTURE_KEYS")));
    return parsed.success ? parsed.data.keys : null;
  } catch {
    return null;
  }
}

function some(edges: readonly string[]): string {
  const shown = edges.slice(0, 3).join(", ");
  return edges.length > 3 ? `${shown} and ${edges.length - 3} more` : shown;
}
