import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsBase64 } from "./check-value.ts";

/** The rule, read off character by character. */
function holdsBase64Plainly(text: string, charsMax: number): boolean {
  let run = 0;
  let line = 0;
  let kinds = new Set<string>();
  for (const unit of text.split("")) {
    const kind = /[A-Z]/.test(unit) ? "A" : /[a-z]/.test(unit) ? "a" : /\d/.test(unit) ? "0" : "";
    if (kind !== "" || "+/-_".includes(unit)) {
      run += 1;
      line += 1;
      kinds.add(kind);
      if (run > charsMax && kinds.has("A") && kinds.has("a") && kinds.has("0")) return true;
    } else if (unit === "\n" && line >= 60) {
      line = 0;
    } else if (unit !== "\r" || line < 60) {
      run = 0;
      line = 0;
      kinds = new Set();
    }
  }
  return false;
}

const piece = fc.oneof(
  fc.constantFrom(" ", "\n", "\r\n", "\r", "=", "é", "A", "a", "0", "-"),
  fc.nat(90).map((n) => "aB3d".repeat(n).slice(0, n)),
  fc.nat(90).map((n) => "f".repeat(n)),
  fc.string({ maxLength: 5 }),
);
const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));

describe("looking for base64", () => {
  it("finds what reading every character finds", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 130 }), (written, charsMax) => {
        expect(holdsBase64(written, charsMax)).toBe(holdsBase64Plainly(written, charsMax));
      }),
      { numRuns: 3000 },
    );
  });
});
