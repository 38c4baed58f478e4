/**
 * Guard of the zod version whose `_zod.def` this room reads: for another minor version `compileSchema` returns null,
 * and zod's parser checks every value, ten times slower. After an update run `compile-schema.test.ts`, read zod's
 * changes of `$ZodTypes` and `$ZodChecks`, and raise it. Wanted upstream: ask only whether a value is valid as it is.
 */
const KNOWN = { major: 4, minor: 6 } as const;

/** Zod's description of a schema or a check. All of it is verified before it is used. */
type Definition = Readonly<Record<string, unknown>>;

/** Returns the definition of a check, or of a schema of any version. */
function definitionOf(part: unknown): Definition {
  // The types differ with each class, so that each field is verified where it is used.
  return Object(internalsOf(part)["def"]);
}

/** Returns true for a schema of the version that this room knows. */
function isKnownSchema(schema: unknown): boolean {
  const { major, minor }: Definition = Object(internalsOf(schema)["version"]);
  return major === KNOWN.major && minor === KNOWN.minor;
}

function internalsOf(part: unknown): Definition {
  return Object(Object(part)["_zod"]);
}

/** Statements that leave their function with false where the value does not fit; null: not understood. */
type Code = string | null;

const REFUSE = "return false;";

/** Writes the JavaScript that holds a value against a schema. */
export class FitWriter {
  /** Values that the code refers to by name: members, patterns, refinements, bounds. */
  readonly constants: unknown[] = [];
  /** One for each array, record and object of the schema. */
  readonly functions: string[] = [];
  /** Schemas that are being written: one that holds itself is not understood. */
  private readonly underway = new Set<unknown>();
  private readonly written = new Map<Definition, string>();
  private names = 0;

  /** Name of the function that holds a value against the whole schema; null: not understood. */
  write(schema: unknown): string | null {
    return this.named((value) => this.type(schema, value));
  }

  nameOf(constant: number): string {
    return `c${constant}`;
  }

  private constant(value: unknown): string {
    this.constants.push(value);
    return this.nameOf(this.constants.length - 1);
  }

  private name(): string {
    this.names += 1;
    return `v${this.names}`;
  }

  /** A function of its own around statements; its name. */
  private named(body: (value: string) => Code): string | null {
    const value = this.name();
    const code = body(value);
    if (code === null) return null;
    const name = `fit${value}`;
    this.functions.push(`function ${name}(${value}) { ${code} return true; }`);
    return name;
  }

  /** Written once for each definition: what is used in many places would otherwise grow with its depth's power. */
  private call(def: Definition, value: string, body: (inner: string) => Code): Code {
    const name = this.written.get(def) ?? this.named(body);
    if (name === null) return null;
    this.written.set(def, name);
    return `if (!${name}(${value})) ${REFUSE}`;
  }

  private type(schema: unknown, value: string): Code {
    const def = definitionOf(schema);
    if (!isKnownSchema(schema) || def["coerce"] === true || this.underway.has(schema)) return null;
    this.underway.add(schema);
    const bare = this.bare(def, value);
    const checks = this.checks(def, value);
    this.underway.delete(schema);
    return bare === null || checks === null ? null : `${bare} ${checks}`;
  }

  private bare(def: Definition, value: string): Code {
    switch (def["type"]) {
      case "string":
        return def["format"] === undefined ? `if (typeof ${value} !== "string") ${REFUSE}` : null;
      case "number":
        return numberCode(def, value);
      case "boolean":
        return `if (typeof ${value} !== "boolean") ${REFUSE}`;
      case "null":
        return `if (${value} !== null) ${REFUSE}`;
      case "unknown":
        return "";
      case "literal":
        return this.members(def["values"], value);
      case "enum":
        return this.members(Object.values(Object(def["entries"])), value);
      case "nullable": {
        const inner = this.type(def["innerType"], value);
        return inner === null ? null : `if (${value} !== null) { ${inner} }`;
      }
      case "array":
        return this.array(def, value);
      case "record":
        return this.record(def, value);
      case "object":
        return this.object(def, value);
      default:
        return null;
    }
  }

  private members(members: unknown, value: string): Code {
    if (!Array.isArray(members)) return null;
    return `if (!${this.constant(new Set<unknown>(members))}.has(${value})) ${REFUSE}`;
  }

  private array(def: Definition, value: string): Code {
    return this.call(def, value, (list) => {
      const item = this.name();
      const element = this.type(def["element"], item);
      if (element === null) return null;
      const each = `for (let i = 0; i < ${list}.length; i += 1) { const ${item} = ${list}[i]; ${element} }`;
      return `if (!Array.isArray(${list})) ${REFUSE} ${each}`;
    });
  }

  /** Only records of anything: keys of another type are rare and have rules of their own. */
  private record(def: Definition, value: string): Code {
    const key = definitionOf(def["keyType"]);
    if (key["type"] !== "string" || this.checks(key, "") !== "" || key["format"] !== undefined) return null;
    return this.call(def, value, (record) => {
      const member = this.name();
      const code = this.type(def["valueType"], member);
      if (code === null) return null;
      // By a constructor of its own the parser may take it for an instance of a class.
      const each =
        `for (const key of Object.keys(${record})) { const ${member} = ${record}[key]; ` +
        `if (key === "__proto__" || key === "constructor" || ${member} === undefined) ${REFUSE} ${code} }`;
      return `${plainCode(record)} ${each}`;
    });
  }

  private object(def: Definition, value: string): Code {
    const rest = def["catchall"] === undefined ? "never" : definitionOf(def["catchall"])["type"];
    if (rest !== "never" && rest !== "unknown") return null;
    return this.call(def, value, (object) => {
      const fields = Object.entries(Object(def["shape"])).map(([key, field]) =>
        this.field(object, key, field),
      );
      if (fields.includes(null)) return null;
      const code = `${plainCode(object)} let present = 0; ${fields.join(" ")}`;
      if (rest === "unknown") return `${code} if (Object.hasOwn(${object}, "__proto__")) ${REFUSE}`;
      // A field too many is a fault, or one that the parser would leave out.
      return `${code} for (const _ in ${object}) present -= 1; if (present !== 0) ${REFUSE}`;
    });
  }

  private field(object: string, key: string, field: unknown): Code {
    // A name that every object has would be found where the value has no such field.
    if (key in Object.prototype) return null;
    const def = definitionOf(field);
    const isOptional = def["type"] === "optional";
    const member = this.name();
    const code = this.type(isOptional ? def["innerType"] : field, member);
    if (code === null) return null;
    const name = JSON.stringify(key);
    // Present and undefined is for the parser to judge.
    const absent = isOptional ? `if (Object.hasOwn(${object}, ${name})) ${REFUSE}` : REFUSE;
    return (
      `const ${member} = ${object}[${name}]; ` +
      `if (${member} === undefined) { ${absent} } else { ${code} present += 1; }`
    );
  }

  private checks(def: Definition, value: string): Code {
    const { checks = [] } = def;
    if (!Array.isArray(checks)) return null;
    const codes = checks.map((check) => this.check(definitionOf(check), { of: def["type"], value }));
    return codes.includes(null) ? null : codes.join(" ");
  }

  private check(def: Definition, on: { readonly of: unknown; readonly value: string }): Code {
    const { of, value } = on;
    const bound = def["value"] ?? def["minimum"] ?? def["maximum"];
    const isNumber = of === "number" && typeof bound === "number";
    const hasLength = (of === "string" || of === "array") && typeof bound === "number";
    const orEqual = def["inclusive"] === true ? "=" : "";
    switch (def["check"]) {
      case "min_length":
        return hasLength ? `if (!(${value}.length >= ${this.constant(bound)})) ${REFUSE}` : null;
      case "max_length":
        return hasLength ? `if (!(${value}.length <= ${this.constant(bound)})) ${REFUSE}` : null;
      case "greater_than":
        return isNumber ? `if (!(${value} >${orEqual} ${this.constant(bound)})) ${REFUSE}` : null;
      case "less_than":
        return isNumber ? `if (!(${value} <${orEqual} ${this.constant(bound)})) ${REFUSE}` : null;
      case "string_format":
        return of === "string" ? this.pattern(def, value) : null;
      case "custom":
        return this.refinement(def, value);
      default:
        return null;
    }
  }

  private pattern({ format, pattern }: Definition, value: string): Code {
    // A pattern with a memory of where it stood would answer differently each time.
    if (format !== "regex" || !(pattern instanceof RegExp) || pattern.global || pattern.sticky) return null;
    return `if (!${this.constant(pattern)}.test(${value})) ${REFUSE}`;
  }

  private refinement({ fn, when }: Definition, value: string): Code {
    if (typeof fn !== "function" || when !== undefined) return null;
    // A refinement that throws or promises is left to the parser.
    const holds = (given: unknown): boolean => {
      try {
        return fn(given) === true;
      } catch {
        return false;
      }
    };
    return `if (!${this.constant(holds)}(${value})) ${REFUSE}`;
  }
}

function numberCode(def: Definition, value: string): Code {
  if (def["format"] === undefined) return `if (!Number.isFinite(${value})) ${REFUSE}`;
  return def["format"] === "safeint" ? `if (!Number.isSafeInteger(${value})) ${REFUSE}` : null;
}

/** Refuses what is no object, or one of a class. */
function plainCode(value: string): string {
  return (
    `if (typeof ${value} !== "object" || ${value} === null || ` +
    `Object.getPrototypeOf(${value}) !== Object.prototype) ${REFUSE}`
  );
}
