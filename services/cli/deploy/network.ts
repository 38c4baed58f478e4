import type { INetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { LABEL, podsOf, PORT } from "./workloads.ts";

type Spec = NonNullable<INetworkPolicy["spec"]>;
type Rule = NonNullable<Spec["egress"]>[number];

/** Namespaces of the programs that scale and that scrape. */
const KEDA = "keda";
const MONITORING = "monitoring";
const DNS_PORT = 53;

/** Whatever is not in the cluster, without the address at which a cloud tells a machine its credentials. */
const ANYWHERE = [
  { ipBlock: { cidr: "0.0.0.0/0", except: ["169.254.0.0/16"] } },
  { ipBlock: { cidr: "::/0", except: ["fe80::/10", "fd00:ec2::/32"] } },
];

const tcp = (port: number) => ({ protocol: "TCP" as const, port });
const from = (namespace: string) => ({
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
});

function policy(
  name: string,
  labels: Record<string, string>,
  spec: Omit<Spec, "podSelector">,
): INetworkPolicy {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name },
    spec: { podSelector: { matchLabels: labels }, ...spec },
  };
}

const outward = (name: string, labels: Record<string, string>, egress: Rule): INetworkPolicy =>
  policy(name, labels, { policyTypes: ["Egress"], egress: [egress] });

/**
 * Returns the policies of all deployments. Agents speak to each other by Redis alone, along edges that keys guard, so
 * that no pod of an agent is reached by another. @param hasReader - Of a team that reads uploaded files.
 */
export function policies(hasReader: boolean): INetworkPolicy[] {
  const dns = [{ protocol: "UDP" as const, port: DNS_PORT }, tcp(DNS_PORT)];
  const door = (name: "gateway" | "console"): INetworkPolicy =>
    policy(name, podsOf(name), {
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ namespaceSelector: {} }], ports: [tcp(PORT[name])] }],
    });
  const reader = [
    policy("reader", podsOf("reader"), {
      policyTypes: ["Ingress"],
      ingress: [
        { from: [{ podSelector: { matchLabels: podsOf("agent-ingest") } }], ports: [tcp(PORT.reader)] },
      ],
    }),
    outward("reach-reader", podsOf("agent-ingest"), {
      to: [{ podSelector: { matchLabels: podsOf("reader") } }],
      ports: [tcp(PORT.reader)],
    }),
  ];
  return [
    policy(
      "nothing-but-names",
      {},
      {
        policyTypes: ["Ingress", "Egress"],
        egress: [{ to: [{ namespaceSelector: {} }], ports: dns }],
      },
    ),
    outward("reach-outside", { [LABEL.outside]: "true" }, { to: ANYWHERE }),
    door("gateway"),
    door("console"),
    policy(
      "scrape",
      { [LABEL.metrics]: "true" },
      {
        policyTypes: ["Ingress"],
        ingress: [{ from: [from(MONITORING)], ports: [tcp(PORT.health)] }],
      },
    ),
    ...(hasReader ? reader : []),
  ];
}

/** Returns the policies of a Redis in the cluster: reached by those who have a login, and by KEDA. */
export function policiesOfRedis(): INetworkPolicy[] {
  const ports = [tcp(PORT.redis)];
  return [
    policy("redis", podsOf("redis"), {
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ podSelector: { matchLabels: { [LABEL.redis]: "true" } } }, from(KEDA)], ports }],
    }),
    outward(
      "reach-redis",
      { [LABEL.redis]: "true" },
      {
        to: [{ podSelector: { matchLabels: podsOf("redis") } }],
        ports,
      },
    ),
  ];
}

/** Returns the policies of a Redis elsewhere: the ports of its addresses, wherever they are. */
export function policiesOfManagedRedis(ports: readonly number[]): INetworkPolicy[] {
  return [
    outward(
      "reach-redis",
      { [LABEL.redis]: "true" },
      {
        to: ANYWHERE,
        ports: [...new Set(ports)].map(tcp),
      },
    ),
  ];
}
