import { globSync, readFileSync } from "node:fs";
import type { Class, Expression, Node, ObjectExpression } from "oxc-parser";
import { docOf, parseFiles, textOf, Visitor } from "./write-page.ts";
import type { Source } from "./write-page.ts";

/** An error class as its file declares it. Values known only at run time are written as `…`. */
export interface DeclaredError {
  readonly path: string;
  readonly code: string;
  readonly failureClass: string;
  /** Null: its failure class decides. */
  readonly status: string | null;
  readonly message: string;
  readonly remedy: string;
  readonly doc: string;
}

/** Texts by the name that a constant, a parameter or a field has in the source. */
type Names = ReadonlyMap<string, string>;

interface DeclaredClass {
  readonly source: Source;
  readonly node: Class;
  readonly parent: string;
  readonly constants: Names;
}

const FIELDS = ["code", "failureClass", "status", "message", "remedy"] as const;
const UNKNOWN = "…";

/** Reads every error class. One that other errors extend and that has no code is left out. */
export function readErrors(): DeclaredError[] {
  const statuses = readStatuses();
  const classes = readClasses();
  return classes.flatMap((declared) => {
    const fields = fieldsOf(declared, classes, null);
    const words = (fields.get("code") ?? "").split(" or ");
    if (!words.every((word) => /^[A-Z][A-Z0-9_]+$/.test(word))) return [];
    return words.map((word) => ({
      path: declared.source.path,
      code: word,
      failureClass: fields.get("failureClass") ?? UNKNOWN,
      status: fields.get("status") ?? statuses.get(word) ?? null,
      message: fields.get("message") ?? "",
      remedy: fields.get("remedy") ?? "",
      doc: docOf(declared.source, declared.node),
    }));
  });
}

export function filesOfErrors(): string[] {
  return globSync("{shared,services,infra}/**/*.ts").filter(
    (file) => !/\.test\.ts$|\/testing\//.test(file) && ERROR_CLASS.test(readFileSync(file, "utf8")),
  );
}

const ERROR_CLASS = /class \w+Error extends \w*(?:Error|Refusal)\b/;

function readClasses(): DeclaredClass[] {
  const classes: DeclaredClass[] = [];
  const sources = parseFiles(filesOfErrors());
  for (const source of sources) {
    const constants = new Map<string, string>();
    new Visitor({
      VariableDeclarator({ id, init }) {
        if (id.type === "Identifier" && init !== null)
          constants.set(id.name, valueOf(source, init, new Map()));
      },
      ClassDeclaration(node) {
        const parent = node.superClass?.type === "Identifier" ? node.superClass.name : "";
        classes.push({ source, node, parent, constants });
      },
    }).visit(source.program);
  }
  return classes;
}

/** Arguments that a class passes to SutureError. `given`: those of a class below it; null where there is none. */
function fieldsOf(
  declared: DeclaredClass,
  classes: readonly DeclaredClass[],
  given: readonly Argument[] | null,
): Map<string, string> {
  const names = new Map([...declared.constants, ...parametersOf(declared, given)]);
  const passed = definedBy(declared, names) ?? superArguments(declared, names);
  const above = classes.find(
    ({ node, source }) => node.id?.name === declared.parent && isBase(source, declared.source),
  );
  if (passed === null) return above === undefined ? new Map() : fieldsOf(above, classes, given);
  if (above === undefined || declared.parent === "SutureError") return passed[0]?.fields ?? new Map();
  const fields = fieldsOf(above, classes, passed);
  const status = passed[0]?.fields.get("status");
  if (status !== undefined) {
    fields.set("status", status);
    fields.set("failureClass", classOf(status));
  }
  return fields;
}

/** Errors extend classes of their own file or of a room's door. */
function isBase(base: Source, own: Source): boolean {
  return base.path === own.path || base.path.startsWith("shared/");
}

/** As `shared/http` has it for refused requests. */
function classOf(status: string): string {
  if (status === "429") return "rate_limited";
  return status === "503" ? "unavailable" : "validation_error";
}

/** One argument of a call of `super`: its text, and its fields where it is an object. */
interface Argument {
  readonly text: string;
  readonly fields: Map<string, string>;
}

/** Arguments of a class for `defineError` or `defineRefusal`; null for a class that has its own constructor. */
function definedBy({ source, node }: DeclaredClass, names: Names): Argument[] | null {
  const [says] = node.superClass?.type === "CallExpression" ? node.superClass.arguments : [];
  const isMade = says?.type === "ArrowFunctionExpression";
  const init = isMade ? madeBy(says.body) : says;
  if (init?.type !== "ObjectExpression") return null;
  const defaults = isMade ? namesOf(source, says.params, names, null) : [];
  const fields = objectFields(source, init, new Map([...names, ...defaults]));
  const status = fields.get("status");
  // A status beside a class is a field of the error's own.
  if (fields.has("failureClass")) fields.delete("status");
  else if (status !== undefined) fields.set("failureClass", classOf(status));
  return [{ text: UNKNOWN, fields }];
}

/** Result of an arrow function, by its last statement where it has several. */
function madeBy(body: Node): Node | null {
  if (body.type === "ParenthesizedExpression") return body.expression;
  const last = body.type === "BlockStatement" ? body.body.at(-1) : undefined;
  return last?.type === "ReturnStatement" ? last.argument : body;
}

function superArguments({ source, node }: DeclaredClass, names: Names): Argument[] | null {
  let found: Argument[] | null = null;
  new Visitor({
    CallExpression({ callee, arguments: passed, start, end }) {
      if (callee.type !== "Super" || start < node.start || end > node.end) return;
      found = passed.map((one) => ({
        text: one.type === "SpreadElement" ? UNKNOWN : valueOf(source, one, names),
        fields:
          one.type === "ObjectExpression" ? objectFields(source, one, names) : new Map<string, string>(),
      }));
    },
  }).visit(source.program);
  return found;
}

function objectFields(source: Source, { properties }: ObjectExpression, names: Names): Map<string, string> {
  return new Map(
    properties.flatMap((property) => {
      if (property.type !== "Property") return [];
      const name = textOf(source, property.key);
      return FIELDS.some((field) => field === name) ? [[name, valueOf(source, property.value, names)]] : [];
    }),
  );
}

/** The constructor's parameters, with what a class below passes or else their defaults. */
function parametersOf(
  { source, node, constants }: DeclaredClass,
  given: readonly Argument[] | null,
): Map<string, string> {
  const method = node.body.body.find(
    (member) => member.type === "MethodDefinition" && member.kind === "constructor",
  );
  return method?.type === "MethodDefinition"
    ? namesOf(source, method.value.params, constants, given)
    : new Map<string, string>();
}

function namesOf(
  source: Source,
  params: readonly Node[],
  constants: Names,
  given: readonly Argument[] | null,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [index, parameter] of params.entries()) {
    const argument = given?.[index];
    if (parameter.type === "Identifier") {
      if (argument !== undefined) names.set(parameter.name, argument.text);
      for (const [field, text] of argument?.fields ?? []) names.set(`${parameter.name}.${field}`, text);
    }
    if (parameter.type === "AssignmentPattern" && parameter.left.type === "Identifier")
      names.set(parameter.left.name, argument?.text ?? valueOf(source, parameter.right, constants));
  }
  return names;
}

/** The text of an expression as far as the source says it. */
function valueOf(source: Source, node: Expression | Node, names: Names): string {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "string" || typeof node.value === "number" ? String(node.value) : UNKNOWN;
    case "TemplateLiteral":
      return node.quasis
        .map(({ value }, index) => {
          const inner = node.expressions[index];
          return (value.cooked ?? "") + (inner === undefined ? "" : valueOf(source, inner, names));
        })
        .join("");
    case "BinaryExpression":
      return node.operator === "+"
        ? valueOf(source, node.left, names) + valueOf(source, node.right, names)
        : UNKNOWN;
    case "ConditionalExpression":
      return alternatives(valueOf(source, node.consequent, names), valueOf(source, node.alternate, names));
    case "LogicalExpression":
      return valueOf(source, node.right, names);
    case "ParenthesizedExpression":
      return valueOf(source, node.expression, names);
    case "Identifier":
    case "MemberExpression":
      return names.get(textOf(source, node)) ?? UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function alternatives(one: string, other: string): string {
  const known = [one, other].filter((text) => text !== "" && text !== UNKNOWN);
  return known.length < 2 ? (known[0] ?? UNKNOWN) : known.join(" or ");
}

/** HTTP statuses that services give to codes of other rooms. */
function readStatuses(): Names {
  const statuses = new Map<string, string>();
  for (const source of parseFiles(["services/{gateway,console}/**/*.ts"])) {
    new Visitor({
      ObjectExpression({ properties }) {
        for (const property of properties) {
          if (property.type !== "Property" || property.value.type !== "Literal") continue;
          const name = textOf(source, property.key);
          if (/^[A-Z][A-Z0-9_]{6,}$/.test(name) && typeof property.value.value === "number")
            statuses.set(name, String(property.value.value));
        }
      },
    }).visit(source.program);
  }
  return statuses;
}
