import { StandInCalls } from "#shared/runtime/tools";
import type { StandIn } from "#shared/runtime";
import type { StandInTools, Tool } from "#shared/runtime/tools";

/** Asks a stand-in for its answer as a model step does, and runs the tools that it calls before, without records. */
export async function askStandIn(
  standIn: StandIn,
  { input, tools = [] }: { readonly input: unknown; readonly tools?: readonly Tool[] | undefined },
): Promise<unknown> {
  const results: StandInTools["results"][number][] = [];
  const offered = tools.map(({ name }) => name);
  for (;;) {
    // A stand-in takes the input of its own step, which is what its agent passed.
    const answer = await standIn(input as never, () => 0.5, [], { offered, results: [...results] });
    if (!(answer instanceof StandInCalls)) return answer;
    for (const call of answer.calls) {
      const prepared = tools.find(({ name }) => name === call.tool)?.prepare(call.arguments);
      if (prepared === undefined || "issues" in prepared) throw new Error(`a bad call of ${call.tool}`);
      const { signal } = new AbortController();
      const outcome = await prepared.run({ signal, idempotencyKey: "test" }).then(
        (checked) => (checked.ok ? { status: "done", output: checked.value } : { status: "failed" }),
        () => ({ status: "failed" }),
      );
      results.push({ ...call, outcome });
    }
    if (results.length > 32) throw new Error("the stand-in calls without end");
  }
}
