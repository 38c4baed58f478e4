import { Link } from "@tanstack/react-router";
import { visible } from "#shared/json";
import { SURGEON } from "../data/api.ts";
import { Badge } from "./page.tsx";
import { words } from "./text.ts";

/** True for a group, a case or work of an attached queue: a plain BullMQ job, which nobody has signed. */
export const isAttached = (id: string): boolean => id.startsWith("bullmq:");

/** A case's id as short as it can be told apart: a job keeps its own. */
export const shortId = (caseId: string): string =>
  isAttached(caseId) ? (caseId.split(":").at(-1) ?? caseId) : caseId.slice(-8);

/** The producer of a message: agent, contract, model and prompt version, as far as they are known. */
export function producerName(producer: string): string {
  const [agent = "", contract, model, prompt] = producer.split("|");
  const parts = Object.entries({ for: contract, with: model, prompt });
  const known = parts.filter(([, part = "-"]) => part !== "-" && part !== "");
  return [agent, ...known.flat()].join(" ");
}

/** A validator's message in words: "is missing". Null for one that has no shorter words. */
export function ruleInWords(message: string): string | null {
  const [, expected = "", received = ""] = /expected (\w+), received (\w+)/.exec(message) ?? [];
  if (received === "") return null;
  return received === "undefined"
    ? "is missing"
    : `is ${withArticle(received)}, not ${withArticle(expected)}`;
}

/** A fault at its place, in words: "/amount is missing". */
export function faultInWords({ path, message }: { readonly path: string; readonly message: string }): string {
  const rule = ruleInWords(message);
  if (rule === null) return visible(path === "" ? message : `${path}: ${message}`);
  return `${path === "" ? "the whole" : visible(path)} ${rule}`;
}

const withArticle = (noun: string): string =>
  noun === "null" ? noun : `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;

/** A line of a group's cause in words: `code place type`, or an error. */
export function causeInWords(line: string): string {
  const [, code = "", path = "", type = ""] = /^(\w+) (\/\S*)?(?: (\w+))?$/.exec(line) ?? [];
  if (code === "") return visible(line);
  const place = path === "" ? "the whole" : visible(path);
  if (type === "missing") return `${place} is missing`;
  return code === "invalid_type" ? `${place} is ${withArticle(type)}` : `${place}: ${words(code)}`;
}

export interface Named {
  readonly fingerprint: string;
  readonly cause?: readonly string[];
}

/** Name of a group: its cause in words, or agent and failure, which its fingerprint begins with. */
export function GroupName({ of: { fingerprint, cause = [] } }: { readonly of: Named }) {
  const said = cause.map(causeInWords).join(", ");
  if (isAttached(fingerprint)) {
    const none = fingerprint.endsWith(":rest") ? "all further groups" : "an error without a message";
    return <span>{said || none}</span>;
  }
  const [agent = "", failure = "", digest = ""] = fingerprint.split("/");
  return (
    <span title={fingerprint}>
      <b>{agent}</b>
      {said === "" ? ` ${words(failure)}` : `: ${said}`} {said === "" && <code>{digest.slice(0, 6)}</code>}
    </span>
  );
}

/** Marks what is of an attached queue. */
export function Unsealed({ id }: { readonly id: string }) {
  if (!isAttached(id)) return null;
  const title = "A plain BullMQ job: nothing vouches for its sender.";
  return <Badge {...{ tone: "warn", title }}>unsealed</Badge>;
}

/** Addresses of the pages of single things, by their ids. */
export const addressOf = {
  run: (runId: string) => ({ to: "/runs/$runId", params: { runId } }) as const,
  case: (caseId: string) => ({ to: "/inbox/case/$caseId", params: { caseId } }) as const,
  group: (fingerprint: string) => ({ to: "/inbox/group/$fingerprint", params: { fingerprint } }) as const,
  recipe: (recipeId: string) => ({ to: "/recipes/$recipeId", params: { recipeId } }) as const,
  agent: (agent: string) => ({ to: "/agents/$agent", params: { agent } }) as const,
};

/** A link to a case, by its short id. */
export function CaseLink({ id }: { readonly id: string }) {
  return (
    <Link {...addressOf.case(id)} title={id}>
      <code>{shortId(id)}</code>
    </Link>
  );
}

/** A link to a group, by its name in words. */
export function GroupLink({ of }: { readonly of: Named }) {
  return (
    <Link {...addressOf.group(of.fingerprint)}>
      <GroupName of={of} />
    </Link>
  );
}

/** A link to an agent, with or without its version, or to the surgeon. The gateway, which is none, is only named. */
export function AgentLink({ name, title }: { readonly name: string; readonly title?: string }) {
  const agent = name.replace(/@.*/, "");
  if (agent === "gateway") return name;
  return (
    <Link {...addressOf.agent(agent)} title={title}>
      {name === SURGEON ? "surgeon" : name}
    </Link>
  );
}
