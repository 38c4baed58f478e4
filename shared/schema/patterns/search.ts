/** A work limit in remaining steps; negative when exceeded. */
export interface Meter {
  left: number;
}

/** A shared instance, because a list may contain thousands of exhausting texts and stack traces are expensive. */
const EXHAUSTED = new Error();

/** The rest of a pattern from some place of it on. Is entered once at each place of the text. */
interface Node {
  readonly step: (at: number) => void;
  /** Offset at which it was entered first; -1: it was not. Most nodes are entered at one place. */
  first: number;
  /** Further offsets at which it was entered. */
  others: Set<number> | null;
}

const NODE_STEPS = 4;

/** A part of a pattern: makes the node that matches it and goes on with `next`. */
export type Part = (search: Search, next: Node) => Node;

/** Returns true for the code points that one character of a pattern stands for. */
export type Accepts = (codePoint: number) => boolean;

export interface Range {
  readonly least: number;
  readonly most: number;
}

/** A search for a match. Enters no node twice at one place: the work is at most pattern times text. */
export class Search {
  readonly points: readonly number[];
  private readonly meter: Meter;
  /** Offset at which a match must end. Undefined: any. */
  private readonly until: number | undefined;
  private readonly pending: { readonly node: Node; readonly at: number }[] = [];
  private isFound = false;

  constructor(points: readonly number[], meter: Meter, until?: number) {
    this.points = points;
    this.meter = meter;
    this.until = until;
  }

  /** Returns true if `part` matches anywhere in the text. Undefined: the meter is empty. */
  static find(points: readonly number[], part: Part, meter: Meter): boolean | undefined {
    try {
      return new Search(points, meter).find(part, 0, points.length);
    } catch (error) {
      if (error === EXHAUSTED) return undefined;
      throw error;
    }
  }

  find(part: Part, from: number, last: number): boolean {
    const end = this.node((at) => {
      this.isFound ||= this.until === undefined || at === this.until;
    });
    const first = part(this, end);
    for (let start = from; start <= last && !this.isFound; start += 1) {
      this.enter(first, start);
      for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop())
        next.node.step(next.at);
    }
    return this.isFound;
  }

  /** Searches within the same text and the same meter. */
  inner(until?: number): Search {
    return new Search(this.points, this.meter, until);
  }

  spend(steps = 1): void {
    this.meter.left -= steps;
    if (this.meter.left < 0) throw EXHAUSTED;
  }

  node(step: Node["step"]): Node {
    this.spend(NODE_STEPS);
    return { step, first: -1, others: null };
  }

  enter(node: Node, at: number): void {
    this.spend();
    if (this.isFound || node.first === at) return;
    if (node.first === -1) node.first = at;
    else {
      node.others ??= new Set();
      if (node.others.has(at)) return;
      node.others.add(at);
    }
    this.pending.push({ node, at });
  }
}

export function sequence(parts: readonly Part[]): Part {
  return (search, next) => parts.reduceRight((rest, part) => part(search, rest), next);
}

export function choice(options: readonly Part[]): Part {
  return (search, next) => {
    const nodes = options.map((option) => option(search, next));
    return search.node((at) => {
      for (const node of nodes) search.enter(node, at);
    });
  };
}

/** A place between characters. */
export function edge(isThere: (points: readonly number[], at: number) => boolean): Part {
  return (search, next) =>
    search.node((at) => {
      if (isThere(search.points, at)) search.enter(next, at);
    });
}

export function look(part: Part, { isWanted, isBehind }: { isWanted: boolean; isBehind: boolean }): Part {
  return (search, next) =>
    search.node((at) => {
      const isThere = isBehind ? search.inner(at).find(part, 0, at) : search.inner().find(part, at, at);
      if (isThere === isWanted) search.enter(next, at);
    });
}

/** A repeated group. Rounds are made when they are reached; those of an open repeat above its minimum are one. */
export function repeat(part: Part, { least, most }: Range): Part {
  if (least === 1 && most === 1) return part;
  return (search, next) => {
    const rounds: Node[] = [];
    const round = (count: number): Node => {
      let body: Node | undefined;
      return (rounds[count] ??= search.node((at) => {
        if (count >= least) search.enter(next, at);
        const following = most === Number.POSITIVE_INFINITY ? Math.min(count + 1, least) : count + 1;
        if (count < most) search.enter((body ??= part(search, round(following))), at);
      }));
    };
    return round(0);
  };
}

/** A repeated character. Enters what follows once at each end, however the places that it begins at overlap. */
export function charRun(accepts: Accepts, { least, most }: Range): Part {
  return (search, next) => {
    const { points } = search;
    const isAt = (at: number): boolean => at < points.length && accepts(points[at] ?? 0);
    if (least === 1 && most === 1)
      return search.node((at) => {
        if (isAt(at)) search.enter(next, at + 1);
      });
    /** The last stretch of accepted characters. */
    let run = { from: 0, to: -1 };
    /** Ends that have been entered. */
    let tried = { from: 0, to: -1 };
    const endOfRun = (at: number): number => {
      let to = at;
      while ((to < run.from || to > run.to) && isAt(to)) {
        search.spend();
        to += 1;
      }
      if (to >= run.from && to <= run.to) to = run.to;
      run = { from: Math.min(at, to === run.to ? run.from : at), to };
      return to;
    };
    const enterAll = (from: number, to: number): void => {
      for (let end = from; end <= to; end += 1) search.enter(next, end);
    };
    return search.node((at) => {
      const from = at + least;
      const to = Math.min(endOfRun(at), at + most);
      if (from > to) return;
      const isApart = from > tried.to + 1 || to < tried.from - 1;
      if (isApart) enterAll(from, to);
      else {
        enterAll(from, Math.min(to, tried.from - 1));
        enterAll(Math.max(from, tried.to + 1), to);
      }
      tried = isApart ? { from, to } : { from: Math.min(from, tried.from), to: Math.max(to, tried.to) };
    });
  };
}
