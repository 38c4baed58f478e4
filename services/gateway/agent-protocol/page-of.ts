import type { PageQuery, Pagination } from "#shared/api";

/** The protocol's account of a page. No items are no pages. */
export function paginate(totalItems: number, { current_page, page_size }: PageQuery): Pagination {
  return { total_items: totalItems, total_pages: Math.ceil(totalItems / page_size), current_page, page_size };
}

/** Items before a page. */
export function offsetOf({ current_page, page_size }: PageQuery): number {
  return (current_page - 1) * page_size;
}

/** One page of what is at hand. A page behind the last one is empty. */
export function pageOf<Item>(
  items: readonly Item[],
  query: PageQuery,
): { readonly items: Item[]; readonly pagination: Pagination } {
  const from = offsetOf(query);
  return {
    items: items.slice(from, from + query.page_size),
    pagination: paginate(items.length, query),
  };
}
