import { policyOf } from "./default-policy.js";

/** Articles by code, with how many there are. */
export class Stockroom {
  #articles = new Map();

  add(article) {
    if (this.#articles.has(article.code)) throw new Error(`${article.code} is there already`);
    const { quantity = 0 } = article;
    this.#articles.set(article.code, { ...article, quantity, policy: policyOf(article) });
  }

  find(code) {
    return this.#articles.get(code);
  }

  /** Takes a delivery in. Articles that nobody knew are added. */
  receive(delivery) {
    for (const { code, name, quantity, price } of delivery) {
      if (!this.#articles.has(code)) this.add({ code, name, price });
      const article = this.find(code);
      article.quantity += quantity;
      article.price = price;
    }
  }

  /** @throws {RangeError} There are not that many. */
  withdraw(code, quantity) {
    const article = this.find(code);
    if (article === undefined) throw new Error(`${code} is unknown`);
    if (article.quantity < quantity) throw new RangeError(`there are only ${article.quantity} of ${code}`);
    article.quantity -= quantity;
    return article.quantity;
  }

  /** Articles of which there are too few, with how many to order. */
  reorders() {
    return [...this.#articles.values()]
      .filter(({ quantity, policy }) => quantity <= policy.reorderAt)
      .map(({ code, policy }) => ({ code, quantity: policy.reorderQuantity }))
      .toSorted((a, b) => a.code.localeCompare(b.code));
  }

  /** What everything is worth, in cents. */
  value() {
    return [...this.#articles.values()].reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  }
}
