/**
 * One at a time. A message whose last worker died is handled while no other such message is: if it brings this process
 * down too, it is known by that, and those that merely stood beside it are not taken for killers.
 */
export class Alone {
  private tail: Promise<void> = Promise.resolve();

  /** Waits for its turn, then works. A turn that is aborted before it begins throws the signal's reason. */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    let release = (): void => undefined;
    const before = this.tail;
    this.tail = new Promise((resolve) => {
      release = resolve;
    });
    try {
      await before;
      signal.throwIfAborted();
      return await work();
    } finally {
      release();
    }
  }
}
