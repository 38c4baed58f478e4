/** What holds for an article unless it says otherwise. */
export const DEFAULT_POLICY = { reorderAt: 5, reorderQuantity: 20, suppliers: [] };

/** The policy of one article: the defaults with the article's own wishes laid over them. */
export function policyOf(article) {
  return Object.assign(DEFAULT_POLICY, article.policy);
}
