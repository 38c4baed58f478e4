import type { TSSignature } from "oxc-parser";
import { VARIABLES } from "#shared/config";
import type { VariableName } from "#shared/config";
import { code, docOf, pageHead, parseFiles, table, textOf, Visitor } from "./write-page.ts";
import type { Source } from "./write-page.ts";

/** Fields for variables that no field of `Config` reads directly; with the file where that is not `config.ts`. */
const FIELDS: Readonly<Partial<Record<VariableName, string>>> = {
  SUTURE_API_KEYS: "apiKeys",
  SUTURE_MODEL_PRICES: "modelPrices",
  SUTURE_WEBHOOKS: "webhooks",
  SUTURE_MODEL_ROUTER: "modelRouter",
  SUTURE_MODEL_WORKER: "modelWorker",
  SUTURE_MODEL_SURGEON: "modelSurgeon",
  SUTURE_MODEL_ROUTER_STREAM: "model-room.ts:by",
  SUTURE_MODEL_WORKER_STREAM: "model-room.ts:by",
  SUTURE_MODEL_SURGEON_STREAM: "model-room.ts:by",
  SUTURE_MODEL_STREAM_SILENT_MS: "model-room.ts:silentMs",
  SUTURE_MODEL_STREAM_TIMEOUT_MS: "model-room.ts:wholeMs",
  SUTURE_MODEL_ROUTER_EFFORT: "model-room.ts:effort",
  SUTURE_MODEL_WORKER_EFFORT: "model-room.ts:effort",
  SUTURE_MODEL_SURGEON_EFFORT: "model-room.ts:effort",
  SUTURE_MODEL_ROUTER_REASONING_TOKENS: "model-room.ts:tokens",
  SUTURE_MODEL_WORKER_REASONING_TOKENS: "model-room.ts:tokens",
  SUTURE_MODEL_SURGEON_REASONING_TOKENS: "model-room.ts:tokens",
  SUTURE_MODEL_ANSWER_TOKENS_MAX: "model-room.ts:tokensMax",
  SUTURE_REDIS_TLS_CA: "redis-url.ts:ca",
  SUTURE_REDIS_TLS_CERT: "redis-url.ts:cert",
  SUTURE_REDIS_TLS_KEY: "redis-url.ts:key",
  SUTURE_REDIS_TLS_SERVERNAME: "redis-url.ts:servername",
  SUTURE_SHOP_URL: "outside.ts:shopUrl",
  SUTURE_SHOP_TOKEN: "outside.ts:shopToken",
  SUTURE_DESK_URL: "outside.ts:deskUrl",
  SUTURE_DESK_TOKEN: "outside.ts:deskToken",
  SUTURE_CRM_URL: "outside.ts:crmUrl",
  SUTURE_CRM_TOKEN: "outside.ts:crmToken",
  SUTURE_SMTP_URL: "outside.ts:smtpUrl",
  SUTURE_MAIL_FROM: "outside.ts:mailFrom",
  SUTURE_IMAP_URL: "outside.ts:imapUrl",
  SUTURE_MAIL_FOLDER: "outside.ts:mailFolder",
  SUTURE_MAIL_TEAM: "outside.ts:mailTeam",
};

/** `SUTURE_*` variables that no service reads: the tests', the fuzzer's, and Docker Compose's. */
export const OTHER_VARIABLES: Readonly<Record<string, string>> = {
  SUTURE_BROWSER: "Browser tests: path of the Chromium or Chrome to use. Default: the first one on the PATH.",
  SUTURE_PICTURES: "Browser tests: folder into which the console's pictures are written. Default: none are.",
  SUTURE_FUZZ: "Seconds for which each property test draws new values; `npm run fuzz -- FILE…` sets 10.",
  SUTURE_IMAGE: "Docker Compose: the image of every service. Default: `suture:latest`.",
  SUTURE_CONTAINER_MEMORY: "Docker Compose: memory limit of each container. Default: `512m`.",
  SUTURE_REDIS_MEMORY: "Docker Compose: memory limit of the Redis container. Default: `2g`.",
  SUTURE_REDIS_MAXMEMORY: "Docker Compose: `maxmemory` of Redis. Default: `1gb`.",
};

/** Renders every environment variable: default, allowed values, and the meaning from the docstrings of `Config`. */
export function settingsPage(): string {
  const meanings = readMeanings();
  // VARIABLES is a constant with exactly these keys.
  const rows = (Object.keys(VARIABLES) as VariableName[]).map((name) => {
    const field = FIELDS[name] ?? meanings.fieldOf.get(name) ?? fieldOf(name);
    const meaning = meanings.docOf.get(field ?? "") ?? "";
    if (meaning === "")
      throw new Error(`${name}: no docstring for its field ${field ?? "(none found)"} in shared/config`);
    return [code(name), code(defaultOf(name)) || "unset", allowedOf(name), meaning];
  });
  return [
    pageHead(
      "Settings",
      "Every environment variable. A process reads them once, at start, and names all that it cannot use. An empty value counts as " +
        "unset; relative paths start at the working folder. Secrets may be given as `@` and the path of a file.",
    ),
    table(["variable", "default", "allowed", "meaning"], rows),
    "## Variables of tests and tools\n",
    table(
      ["variable", "meaning"],
      Object.entries(OTHER_VARIABLES).map(([name, text]) => [code(name), text]),
    ),
  ].join("\n");
}

/** `queueLimit` for `SUTURE_QUEUE_LIMIT`. */
function fieldOf(name: string): string {
  const words = name.replace(/^SUTURE_/, "").toLowerCase();
  return words.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function defaultOf(name: VariableName): string {
  const value: unknown = VARIABLES[name].schema.parse(undefined);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** What a refusal says of the allowed values: a NUL and a line break are allowed nowhere. */
function allowedOf(name: VariableName): string {
  const parsed = VARIABLES[name].schema.safeParse("\0\n ");
  const problem = parsed.error?.issues[0]?.message ?? "";
  return problem.replace(/^(?:must be|is not) (?:an? )?/, "");
}

/** By variable the field of `Config` it fills, and by field its docstring. */
function readMeanings() {
  const docs = new Map<string, string>();
  const fields = new Map<string, string>();
  for (const source of parseFiles(["shared/config/*.ts"])) {
    new Visitor({
      TSPropertySignature(node) {
        const file = source.path.replace(/^.*\//, "");
        const name = textOf(source, node.key);
        const doc = docOf(source, node);
        if (doc !== "") docs.set(file === "config.ts" ? name : `${file}:${name}`, doc);
      },
      Property(node) {
        if (node.value.type === "ObjectExpression" || node.value.type === "ArrowFunctionExpression") return;
        for (const [, variable = ""] of textOf(source, node.value).matchAll(/values\.([A-Z][A-Z0-9_]+)/g))
          fields.set(variable, textOf(source, node.key));
      },
    }).visit(source.program);
  }
  return { docOf: docs, fieldOf: fields };
}

/** The interfaces of options that authors write, each with its heading. */
const INTERFACES: readonly (readonly [name: string, heading: string])[] = [
  ["TeamOptions", "team(name, agents, options)"],
  ["AgentOptions", "agent(id, options)"],
  ["GuardDeclaration", "guard, of an agent"],
  ["ContextNeed", "needs, of an agent: one step"],
  ["ContractOptions", "contract(id, schema, options)"],
  ["ModelRequest", "ctx.model(step, request)"],
  ["ToolOptions", "tool(name, options)"],
  ["McpToolsOptions", "mcpTools(options)"],
  ["McpToolPin", "mcpTools: one tool"],
  ["HandoffOptions", "ctx.handoff(agent, payload, options)"],
  ["OnceOptions", "ctx.once(key, act, options)"],
  ["FanOutOptions", "fanOut(options)"],
  ["JoinOptions", "join(id, options): beside those of an agent"],
  ["RouterOptions", "router(id, options)"],
  ["MapReduceOptions", "mapReduce(options)"],
  ["SupervisorOptions", "supervisor(options)"],
  ["Question", "majorityVote, bestOf, synthesise: what all take"],
  ["MajorityVoteOptions", "majorityVote(ctx, options)"],
  ["BestOfOptions", "bestOf(ctx, options)"],
  ["SynthesisOptions", "synthesise(ctx, options)"],
];

interface Option {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly doc: string;
}

/** Renders every option of teams, agents, contracts, calls and patterns from the types and their docstrings. */
export function optionsPage(): string {
  const found = readInterfaces(new Set(INTERFACES.map(([name]) => name)));
  const sections = INTERFACES.map(([name, heading]) => {
    const { path, options } = found.get(name) ?? { path: "", options: [] };
    if (path === "") throw new Error(`interface ${name} is in none of the rooms that authors use`);
    const rows = options.map(({ name: option, type, isOptional, doc }) => {
      if (doc === "") throw new Error(`${path}: ${name}.${option} has no docstring`);
      return [code(option), code(type), isOptional ? "" : "yes", doc];
    });
    return `## ${heading}\n\n\`${name}\` in \`${path}\`.\n\n${table(["option", "type", "required", "meaning and default"], rows)}`;
  });
  const intro = "Every option of a team, an agent, a contract, a call of the context and a pattern.";
  return [pageHead("Options", intro), ...sections].join("\n");
}

function readInterfaces(names: ReadonlySet<string>) {
  const found = new Map<string, { readonly path: string; readonly options: readonly Option[] }>();
  for (const source of parseFiles(["shared/{mcp,runtime,patterns,contract,context,guard}/**/*.ts"])) {
    new Visitor({
      TSInterfaceDeclaration(node) {
        if (!names.has(node.id.name)) return;
        const options = node.body.body.flatMap((member) =>
          member.type === "TSPropertySignature"
            ? [
                {
                  name: textOf(source, member.key),
                  type: typeOf(source, member),
                  isOptional: member.optional,
                  doc: docOf(source, member) || docOfMembers(source, member),
                },
              ]
            : [],
        );
        found.set(node.id.name, { path: source.path, options });
      },
    }).visit(source.program);
  }
  return found;
}

type Property = Extract<TSSignature, { type: "TSPropertySignature" }>;

function typeOf(source: Source, { typeAnnotation }: Property): string {
  const text = typeAnnotation ? textOf(source, typeAnnotation.typeAnnotation) : "";
  return text
    .replaceAll(/\/\*\*[^]*?\*\//g, "")
    .replaceAll(/\breadonly /g, "")
    .replaceAll(/\s+/g, " ");
}

/** Joins the docstrings inside an option that is an object. */
function docOfMembers(source: Source, { typeAnnotation }: Property): string {
  const inner = typeAnnotation?.typeAnnotation;
  if (inner?.type !== "TSTypeLiteral") return "";
  return inner.members
    .flatMap((member) =>
      member.type === "TSPropertySignature"
        ? [`\`${textOf(source, member.key)}\`: ${docOf(source, member)}`]
        : [],
    )
    .join(" ");
}
