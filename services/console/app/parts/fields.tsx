import type { ComponentProps } from "react";
import styles from "./parts.module.css";

/** A field of a form. Its name is that of the API's body. */
export interface Field extends ComponentProps<"input"> {
  readonly name: string;
  readonly label: string;
  /** Values to choose from, with their names. */
  readonly options?: Readonly<Record<string, string>>;
}

/** What was given in a form, by the names of its fields; what was left empty is not there. */
export type Given = Readonly<Record<string, string | number | boolean>>;

const NONE: readonly Field[] = [];

/** The fields of a form: a choice, a text, a number or a yes. They keep what is typed by themselves. */
export function Fields({ of = NONE }: { readonly of: readonly Field[] | undefined }) {
  return of.map(({ label, options, title, ...input }) => (
    <label key={input.name} title={title}>
      <span>{label}</span>
      {options === undefined ? (
        <input className={styles.input} autoComplete="off" {...input} />
      ) : (
        <select className={styles.input} name={input.name}>
          {Object.entries(options).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </label>
  ));
}

/** Returns what is given in a form that has these fields. */
export function givenIn(form: FormData, fields: readonly Field[] = NONE): Given {
  const given = fields.map(({ name, type }): [string, string | number | boolean] => {
    const text = String(form.get(name) ?? "").trim();
    return [name, type === "checkbox" ? form.has(name) : type === "number" ? Number(text) : text];
  });
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}
