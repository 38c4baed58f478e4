import { readFileSync } from "node:fs";
import * as apps from "kubernetes-models/apps/v1";
import * as networking from "kubernetes-models/networking.k8s.io/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import * as keda from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { uuidv7 } from "#shared/clock";
import { Keyring } from "#shared/envelope/keys";
import { openBytes, sealBytes, UntrustedMessageError } from "#shared/envelope/seals";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { forgingKeys } from "#shared/testing";
import { runCli } from "../support/run-cli.ts";
import { build, environment, makeProject, podsIn, render, secretOf, sourcesOf } from "./rendered-set.ts";
import type { Manifest } from "./rendered-set.ts";

/** The rendered manifests, built by kustomize and held against the schemas of Kubernetes and KEDA. No API server. */

const OVERLAYS = ["one-node", "many-nodes", "managed-redis"] as const;
const MODELS = { ...core, ...apps, ...networking, ...policy, ...keda };
/** Of Prometheus' operator, for which no schemas are installed. */
const UNCHECKED = ["PodMonitor", "PrometheusRule"];

let project: ReturnType<typeof makeProject>;

beforeAll(() => {
  project = makeProject();
});
afterAll(() => project.remove());

function validate(object: Manifest): void {
  const Model = Object.entries(MODELS).find(([name]) => name === object.kind)?.[1];
  if (typeof Model !== "function" || !("prototype" in Model))
    throw new TypeError(`no schema of ${object.kind}`);
  // Kubernetes decodes base64 with line breaks, as kustomize writes it; the schema knows none.
  const data = Object.entries(object.data).map(([key, text]) => [key, text.replaceAll("\n", "")]);
  const checked = object.kind === "Secret" ? { ...object, data: Object.fromEntries(data) } : object;
  // A class of the package: it is made from the object that it checks.
  const made = Reflect.construct(Model, [checked]) as { validate(): void };
  expect(() => made.validate(), `${object.kind} ${object.metadata.name}`).not.toThrow();
}

describe.each(["services/agents", "tests/support/office-team"])("the teams of %s", (of) => {
  it.each(OVERLAYS)("make an overlay %s whose objects are valid and find each other", async (overlay) => {
    const objects = await build(await render(project.folder, of), overlay);
    for (const object of objects) if (!UNCHECKED.includes(object.kind)) validate(object);
    for (const { metadata } of objects) expect(metadata.namespace).toBe("suture");
    const has = (kind: string, name: string): boolean =>
      objects.some((object) => object.kind === kind && object.metadata.name === name);
    const pods = podsIn(objects);
    const agents = (await loadTeams(of)).flatMap((team) => [...team.agents.keys()]);
    expect(pods.length).toBeGreaterThan(agents.length + 2);
    for (const { name, pod } of pods) {
      for (const { name: secret, items } of sourcesOf(pod))
        for (const { key } of items)
          expect(secretOf(objects, secret, key), `${name}: ${secret}/${key}`).not.toBe("");
      for (const { configMapRef } of pod.containers.flatMap(({ envFrom }) => envFrom))
        expect(has("ConfigMap", configMapRef.name), configMapRef.name).toBe(true);
      for (const { persistentVolumeClaim: claim, configMap } of pod.volumes) {
        if (claim !== undefined) expect(has("PersistentVolumeClaim", claim.claimName), name).toBe(true);
        if (configMap !== undefined) expect(has("ConfigMap", configMap.name), name).toBe(true);
      }
    }
    for (const agent of agents) expect(has("ScaledObject", `agent-${agent}`), agent).toBe(true);
    expect(objects.filter(({ kind }) => kind === "StatefulSet")).toHaveLength(
      overlay === "managed-redis" ? 0 : 1,
    );
  });
});

it("a new agent and rendering again give a set with it, in which the keys of all others stay", async () => {
  const before = await build(await render(project.folder, project.teams), "many-nodes");
  const made = await runCli(["new", "agent", "invoice-reader"], environment(project.folder, project.teams));
  expect(made.code, made.stderr).toBe(0);
  const after = await build(await render(project.folder, project.teams), "many-nodes");
  after.filter(({ kind }) => !UNCHECKED.includes(kind)).forEach(validate);
  const ids = (objects: readonly Manifest[]): string[] =>
    objects
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      .filter((id) => !id.startsWith("ConfigMap"));
  const added = ids(after).filter((id) => !ids(before).includes(id));
  expect(added.toSorted()).toEqual([
    "Deployment agent-invoice-reader",
    "PodDisruptionBudget agent-invoice-reader",
    "ScaledObject agent-invoice-reader",
    "Secret keys-agent-invoice-reader",
  ]);
  expect(ids(before).filter((id) => !ids(after).includes(id))).toEqual([]);
  expect(secretOf(after, "keys-agent-desk", "keys.json")).toBe(
    secretOf(before, "keys-agent-desk", "keys.json"),
  );
});

it("an agent with all that its pod is given seals on no edge that is not its own", async () => {
  const objects = await build(await render(project.folder, project.teams), "one-node");
  const edges = edgesOf(await loadTeams(project.teams));
  const rings = new Map(
    podsIn(objects).flatMap(({ name, pod }) => {
      const keys = sourcesOf(pod).filter(({ items }) => items.some(({ key }) => key === "keys.json"));
      return keys.map(({ name: secret }) => [
        name.replace(/^agent-/, ""),
        Keyring.fromJson(secretOf(objects, secret, "keys.json")),
      ]);
    }),
  );
  let refused = 0;
  for (const thief of ["inbox", "desk", "archive"]) {
    const ring = rings.get(thief);
    if (ring === undefined) throw new RangeError(`${thief} has no keys`);
    for (const edge of edges.filter(({ from, to }) => from !== thief && to !== thief)) {
      const keyring = rings.get(edge.to === "ward" ? "surgeon" : edge.to);
      if (keyring === undefined) throw new RangeError(`${edge.to} has no keys`);
      expect(ring.canSign(edge.from, edge.to)).toBe(false);
      for (const key of forgingKeys(ring, edge)) {
        const id = uuidv7();
        const message = sealBytes({ bytes: "{}", queue: edge.to, id, key });
        expect(() => openBytes({ message, queue: edge.to, jobId: id, keyring })).toThrow(
          UntrustedMessageError,
        );
        refused += 1;
      }
    }
    // On its own edges it seals, and is believed.
    const key = ring.signing(thief, "ward");
    const message = sealBytes({ bytes: "{}", queue: "ward", id: "own", key });
    const surgeon = rings.get("surgeon") ?? ring;
    expect(openBytes({ message, queue: "ward", jobId: "own", keyring: surgeon }).key.from).toBe(thief);
  }
  expect(refused).toBeGreaterThan(50);
});

it("alerts and dashboard are those of this repository", async () => {
  const objects = await build(await render(project.folder, project.teams), "one-node");
  const rule = objects.find(({ kind }) => kind === "PrometheusRule");
  expect(rule?.["spec"]).toEqual(parse(readFileSync("deploy/prometheus/rules.yml", "utf8")));
  const dashboard = objects.find(({ data }) => data["suture.json"] !== undefined);
  expect(dashboard?.data["suture.json"]).toBe(readFileSync("deploy/grafana/suture.json", "utf8"));
});
