/**
 * Labels of text from outside that one delivery has read beside its payload: from steps, from branches of a fan-out,
 * from boards. Kept whether or not its agent watches them, because they follow into all that it makes.
 */
export class ReceivedLabels {
  // Most deliveries hear nothing.
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
