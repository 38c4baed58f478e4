import { pointerStep } from "#shared/json";

/** Returns the JSON pointer of a member or item below `path`. */
export function below(path: string, key: string | number): string {
  // Escapes only where needed: the validator asks this for every node.
  return typeof key === "number" || !/[~/]/.test(key) ? `${path}/${key}` : path + pointerStep(key);
}

/** Replaces each list index of a JSON pointer by `*`. */
export function collapseIndices(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
}
