const ONES = (
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
  "eighteen nineteen"
).split(" ");
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const CURRENCY = /^(euros?|eur|dollars?|usd|pounds?|gbp|zloty|pln)$/;
const CENTS = /^(cents?|pence|pennies|groszy)$/;

/**
 * Reads the first number in English words: "forty-two euros fifty" is 42.5, "one hundred and five" is 105. Null for
 * none. Small words alone ("one of them") count only beside a currency.
 */
export function readNumberWords(text: string): number | null {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  for (const [index, word] of words.entries()) {
    // "A hundred" and "a thousand" begin a number too.
    if (valueOf(word) === null && word !== "hundred" && word !== "thousand") continue;
    const read = readFrom(words.slice(index, index + 16));
    if (read.hasCurrency || read.wordCount > 1 || read.value >= 20) return read.value;
  }
  return null;
}

function valueOf(word: string): number | null {
  const one = ONES.indexOf(word);
  if (one !== -1) return one;
  const ten = TENS.indexOf(word);
  return ten > 1 ? ten * 10 : null;
}

interface Read {
  readonly value: number;
  readonly wordCount: number;
  readonly hasCurrency: boolean;
}

function readFrom(words: readonly string[]): Read {
  const whole = readInteger(words);
  const after = words.slice(whole.wordCount);
  const hasCurrency = CURRENCY.test(after[0] ?? "");
  if (!hasCurrency) return { ...whole, hasCurrency: CENTS.test(after[0] ?? "") };
  const rest = after.slice(after[1] === "and" ? 2 : 1);
  const cents = readInteger(rest);
  const hasCents = cents.wordCount > 0 && cents.value < 100;
  return {
    value: whole.value + (hasCents ? cents.value / 100 : 0),
    wordCount: whole.wordCount + 1,
    hasCurrency,
  };
}

function readInteger(words: readonly string[]): { readonly value: number; readonly wordCount: number } {
  let total = 0;
  let group = 0;
  let wordCount = 0;
  for (const [index, word] of words.entries()) {
    const value = valueOf(word);
    if (value !== null) group += value;
    else if (word === "hundred") group = Math.max(1, group) * 100;
    else if (word === "thousand") {
      total += Math.max(1, group) * 1_000;
      group = 0;
    } else if (word !== "and" || index === 0 || valueOf(words[index + 1] ?? "") === null) break;
    wordCount += 1;
  }
  return { value: total + group, wordCount };
}
