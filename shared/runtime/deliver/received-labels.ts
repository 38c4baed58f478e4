/**
 * Taint labels of outside text that one delivery has read besides its payload: from steps, branches and boards. Kept
 * for agents without a guard as well, because outputs inherit them.
 */
export class ReceivedLabels {
  // Created on first use: most deliveries read none.
  private labels: Set<string> | null = null;

  add(labels: Iterable<string>): void {
    for (const label of labels) {
      this.labels ??= new Set();
      this.labels.add(label);
    }
  }

  all(): readonly string[] {
    return this.labels === null ? NONE : [...this.labels];
  }
}

const NONE: readonly string[] = [];
