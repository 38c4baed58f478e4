import type { TSSignature } from "oxc-parser";
import { VARIABLES } from "#shared/config";
import type { VariableName } from "#shared/config";
import { code, docOf, pageHead, parseFiles, table, textOf, Visitor } from "./write-page.ts";
import type { Source } from "./write-page.ts";

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

/** Renders every environment variable: default, allowed values, and its docstring. */
export function settingsPage(): string {
  const docs = readDocs();
  // VARIABLES is a constant with exactly these keys.
  const rows = (Object.keys(VARIABLES) as VariableName[]).map((name) => {
    const meaning = docs.get(name) ?? "";
    if (meaning === "") throw new Error(`${name} has no docstring in shared/config`);
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

function defaultOf(name: VariableName): string {
  const value: unknown = VARIABLES[name].schema.parse(undefined);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Allowed values as a refusal tells them: a NUL and a line break are allowed nowhere. */
function allowedOf(name: VariableName): string {
  const parsed = VARIABLES[name].schema.safeParse("\0\n ");
  const problem = parsed.error?.issues[0]?.message ?? "";
  return problem.replace(/^(?:must be|is not) (?:an? )?/, "");
}

function readDocs(): ReadonlyMap<string, string> {
  const docs = new Map<string, string>();
  for (const source of parseFiles(["shared/config/*variables.ts"]))
    new Visitor({ Property: (node) => void docs.set(textOf(source, node.key), docOf(source, node)) }).visit(
      source.program,
    );
  return docs;
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
