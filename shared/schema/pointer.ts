import { pointerStep } from "#shared/json";

/** Returns the JSON pointer of a member or item below `path`. */
export function below(path: string, key: string | number): string {
  // Fast path: the validator calls this for every node.
  return typeof key === "number" || !/[~/]/.test(key) ? `${path}/${key}` : path + pointerStep(key);
}

/** Replaces each list index of a JSON pointer by `*`. */
export function collapseIndices(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
}
