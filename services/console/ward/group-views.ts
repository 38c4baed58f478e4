import { ATTENTIONS } from "#shared/api";
import type { AnswerOf, Attention, ConsoleApi, GroupSort } from "#shared/api";
import type { Store } from "#shared/store";
import type { CaseGroup, GroupLifecycle, RecipeState, RecipeStore } from "#shared/store/cases";

type GroupPage = AnswerOf<ConsoleApi["listGroups"]>;

/** A group as people see it in a list. */
type GroupView = GroupPage["groups"][number];

/** Every filter that is given must hold. */
interface GroupFilter {
  readonly attention?: Attention;
  readonly lifecycle?: GroupLifecycle;
  /** Found in the fingerprint or in who made the character that began it, in any case of letters. */
  readonly text?: string;
}

/** Groups looked at for one list at most, those that messages came to last. */
const LOOKED_AT_MAX = 1000;

const ORDER: Readonly<Record<GroupSort, (a: Counted, b: Counted) => number>> = {
  need: byNeed,
  last_seen: (a, b) => b.last_seen_ms - a.last_seen_ms,
  first_seen: (a, b) => b.first_seen_ms - a.first_seen_ms,
  open: (a, b) => b.open - a.open,
  count: (a, b) => b.count - a.count,
  replays: (a, b) => b.replays - a.replays,
  cost: (a, b) => b.cost - a.cost,
};

/** From the one that is believed most. */
const BELIEVED: readonly RecipeState[] = ["trusted", "trial", "proposed", "retired"];

interface GroupsWard {
  readonly store: Store;
  readonly recipes: RecipeStore;
}

type Counted = CaseGroup & { readonly quarantined: number };

interface GroupsAsked {
  readonly sort: GroupSort;
  readonly filter: GroupFilter;
  /** Returns true for a group that the caller may see. Default: all. */
  readonly isOwn?: ((fingerprint: string) => boolean) | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A page of groups that meet every filter, sorted. */
export async function findGroupViews(ward: GroupsWard, asked: GroupsAsked): Promise<GroupPage> {
  const { store, recipes } = ward;
  const { isOwn } = asked;
  if (isOwn === undefined && asked.sort === "last_seen" && Object.keys(asked.filter).length === 0)
    return listLatest(ward, asked);
  const found = await store.cases.groups.list({ offset: 0, limit: LOOKED_AT_MAX + 1 });
  const own = isOwn === undefined ? found : found.filter(({ fingerprint }) => isOwn(fingerprint));
  const counted = await countWaiting(ward, own.slice(0, LOOKED_AT_MAX));
  const wanted = counted.filter((group) => matches(group, asked.filter)).toSorted(ORDER[asked.sort]);
  const page = wanted.slice(asked.offset, asked.offset + asked.limit);
  const groups = await Promise.all(page.map((group) => view(recipes, group)));
  return { groups, total: wanted.length, is_cut: found.length > LOOKED_AT_MAX };
}

/** As the store keeps them, so that none beside the page is looked at. */
async function listLatest(ward: GroupsWard, page: Pick<GroupsAsked, "offset" | "limit">): Promise<GroupPage> {
  const { store, recipes } = ward;
  const [total, found] = await Promise.all([store.cases.groups.count(), store.cases.groups.list(page)]);
  const counted = await countWaiting(ward, found);
  return { groups: await Promise.all(counted.map((group) => view(recipes, group))), total, is_cut: false };
}

/** One group; null where there is none. */
export async function findGroupView(ward: GroupsWard, fingerprint: string): Promise<GroupView | null> {
  const group = await ward.store.cases.groups.find(fingerprint);
  if (group === null) return null;
  const [counted] = await countWaiting(ward, [group]);
  return counted === undefined ? null : view(ward.recipes, counted);
}

/** Only of groups with open cases can some be in quarantine. */
async function countWaiting({ store }: GroupsWard, groups: readonly CaseGroup[]): Promise<Counted[]> {
  const open = groups.filter((group) => group.open > 0).map(({ fingerprint }) => fingerprint);
  const counts = await store.cases.groups.quarantinedOf(open);
  const byName = new Map(open.map((fingerprint, i) => [fingerprint, counts[i] ?? 0]));
  return groups.map((group) => ({ ...group, quarantined: byName.get(group.fingerprint) ?? 0 }));
}

async function view(recipes: RecipeStore, group: Counted): Promise<GroupView> {
  const found = await recipes.of(group.fingerprint);
  const [best] = found.toSorted((a, b) => BELIEVED.indexOf(a.state) - BELIEVED.indexOf(b.state));
  return {
    ...group,
    attention: attentionOf(group),
    recipe: best === undefined ? null : { recipe_id: best.recipe_id, state: best.state },
  };
}

function matches(group: Counted, filter: GroupFilter): boolean {
  if (filter.attention !== undefined && attentionOf(group) !== filter.attention) return false;
  if (filter.lifecycle !== undefined && group.lifecycle !== filter.lifecycle) return false;
  if (filter.text === undefined) return true;
  return `${group.fingerprint}\n${group.producer}`.toLowerCase().includes(filter.text.toLowerCase());
}

/** What a group is judged by. `quarantined`: its cases that wait for a person. */
type Judged = Pick<CaseGroup, "lifecycle" | "open" | "replays" | "last_seen_ms"> & {
  readonly quarantined: number;
};

/** Pure. */
function attentionOf(group: Judged): Attention {
  const { lifecycle, open, replays, quarantined } = group;
  if (lifecycle === "regressed") return "regressed";
  if (open === 0) return "quiet";
  if (lifecycle === "acknowledged") return "looked_after";
  if (replays > 0) return "failing_again";
  return quarantined > 0 ? "waiting" : "in_treatment";
}

/** What needs a person most first; among equals, where most cases wait, then what came last. For sorting. */
function byNeed(one: Judged, other: Judged): number {
  const rank = (group: Judged): number => ATTENTIONS.indexOf(attentionOf(group));
  return (
    rank(one) - rank(other) ||
    other.quarantined - one.quarantined ||
    other.open - one.open ||
    other.last_seen_ms - one.last_seen_ms
  );
}
