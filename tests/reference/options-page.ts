import type { TSSignature } from "oxc-parser";
import { code, pageHead, table } from "./markdown.ts";
import { docOf, parseFiles, textOf, Visitor } from "./parse.ts";
import type { Source } from "./parse.ts";

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
