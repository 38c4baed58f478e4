import { ATTENTIONS } from "#shared/api";
import type { AnswerOf, Attention, ConsoleApi, GroupSort } from "#shared/api";
import type { CaseGroup, GroupLifecycle, RecipeState } from "#shared/store/cases";
import type { Console } from "../console.ts";

type GroupPage = AnswerOf<ConsoleApi["listGroups"]>;

/** A group as people see it in a list. */
type GroupView = GroupPage["groups"][number];

/** Groups looked at for one list at most, those that messages came to last. */
const LOOKED_AT_MAX = 1000;

/** From the one that is believed most. */
const BELIEVED: readonly RecipeState[] = ["trusted", "trial", "proposed", "retired"];

type GroupsWard = Pick<Console, "store" | "recipes">;

type Judged = Omit<GroupView, "recipe">;

/** Filters: every one that is given must hold. `text` is in the fingerprint or the producer, in any case of letters. */
interface GroupFilter {
  readonly attention?: Attention;
  readonly lifecycle?: GroupLifecycle;
  readonly text?: string;
}

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
  const { groups } = ward.store.cases;
  const { sort, filter, isOwn, offset, limit } = asked;
  if (isOwn === undefined && sort === "last_seen" && Object.keys(filter).length === 0) {
    // As the store keeps them, so that none beside the page is looked at.
    const [total, found] = await Promise.all([groups.count(), groups.list({ offset, limit })]);
    return { groups: await withRecipes(ward, await judge(ward, found)), total, is_cut: false };
  }
  const found = await groups.list({ offset: 0, limit: LOOKED_AT_MAX + 1 });
  const own = isOwn === undefined ? found : found.filter(({ fingerprint }) => isOwn(fingerprint));
  const judged = await judge(ward, own.slice(0, LOOKED_AT_MAX));
  const wanted = judged
    .filter((group) => matches(group, filter))
    .toSorted((one, other) => compare(weightOf(other, sort), weightOf(one, sort)));
  const page = wanted.slice(offset, offset + limit);
  const views = await withRecipes(ward, page);
  return { groups: views, total: wanted.length, is_cut: found.length > LOOKED_AT_MAX };
}

/** One group; null where there is none. */
export async function findGroupView(ward: GroupsWard, fingerprint: string): Promise<GroupView | null> {
  const group = await ward.store.cases.groups.find(fingerprint);
  const [view = null] = await withRecipes(ward, await judge(ward, group === null ? [] : [group]));
  return view;
}

/** Only of groups with open cases can some be in quarantine. */
async function judge({ store }: GroupsWard, groups: readonly CaseGroup[]): Promise<Judged[]> {
  const open = groups.filter((group) => group.open > 0).map(({ fingerprint }) => fingerprint);
  const counts = await store.cases.groups.quarantinedOf(open);
  const byName = new Map(open.map((fingerprint, i) => [fingerprint, counts[i] ?? 0]));
  return groups.map((group) => {
    const quarantined = byName.get(group.fingerprint) ?? 0;
    return { ...group, quarantined, attention: attentionOf(group, quarantined) };
  });
}

function attentionOf({ lifecycle, open, replays }: CaseGroup, quarantined: number): Attention {
  if (lifecycle === "regressed") return "regressed";
  if (open === 0) return "quiet";
  if (lifecycle === "acknowledged") return "looked_after";
  if (replays > 0) return "failing_again";
  return quarantined > 0 ? "waiting" : "in_treatment";
}

/** Adds to each group its recipe that is believed most. */
function withRecipes({ recipes }: GroupsWard, groups: readonly Judged[]): Promise<GroupView[]> {
  return Promise.all(
    groups.map(async (group) => {
      const found = await recipes.of(group.fingerprint);
      const [best] = found.toSorted((a, b) => BELIEVED.indexOf(a.state) - BELIEVED.indexOf(b.state));
      return {
        ...group,
        recipe: best === undefined ? null : { recipe_id: best.recipe_id, state: best.state },
      };
    }),
  );
}

function matches(group: Judged, { attention, lifecycle, text = "" }: GroupFilter): boolean {
  return (
    (attention ?? group.attention) === group.attention &&
    (lifecycle ?? group.lifecycle) === group.lifecycle &&
    `${group.fingerprint}\n${group.producer}`.toLowerCase().includes(text.toLowerCase())
  );
}

/** Of `need`: what needs a person most first; among equals, where most cases wait, then what came last. */
function weightOf(group: Judged, sort: GroupSort): readonly number[] {
  const { attention, quarantined, open, last_seen_ms } = group;
  if (sort === "need") return [-ATTENTIONS.indexOf(attention), quarantined, open, last_seen_ms];
  return [group[sort === "last_seen" || sort === "first_seen" ? `${sort}_ms` : sort]];
}

/** Compares lists of numbers, the first that differ. */
function compare(one: readonly number[], other: readonly number[]): number {
  return one.map((number, at) => number - (other[at] ?? 0)).find((gap) => gap !== 0) ?? 0;
}
