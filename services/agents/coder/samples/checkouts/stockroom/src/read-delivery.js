/**
 * Reads a delivery note: one line for each article, `code;name;quantity;price`, with a heading.
 * Prices are in cents.
 */
export function readDelivery(text) {
  const [heading, ...lines] = text.trim().split("\n");
  if (heading !== "code;name;quantity;price") throw new SyntaxError("this is no delivery note");
  return lines.map((line) => {
    const [code, name, quantity, price] = line.split(";");
    return { code: code.trim(), name: name.trim(), quantity, price: Number(price) };
  });
}
