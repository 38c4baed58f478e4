const NAME = /(?<![\p{L}\p{N}'’])\p{Lu}[\p{L}\p{N}'’-]*(?:\s+\p{Lu}[\p{L}\p{N}'’-]*)*/gu;

/**
 * Finds proper names, as capital letters within a sentence show them. The first word counts only as part of a longer
 * name.
 */
export function readNames(sentence: string): string[] {
  return [...sentence.matchAll(NAME)].flatMap(({ 0: found, index }) => {
    const isFirst = sentence.slice(0, index).trim() === "";
    return isFirst && !/\s/.test(found) ? [] : [found];
  });
}
