import { random } from "#shared/clock";
import type { ModelCall, ModelClient } from "#shared/model";
import { StandInCalls } from "#shared/runtime/tools";
import type { Team } from "#shared/runtime";
import { unreachableModel } from "./open-system.ts";

/** Answers in a model's place, from a step's input. A text is sent as it is, anything else as JSON. */
export type TestAnswer = (input: unknown) => unknown;

const CHARACTERS_PER_TOKEN = 4;

/**
 * Returns a model client that answers by functions: those given, else the stand-ins of the team's agents. No server is
 * asked and nothing is damaged on purpose. A step with neither ends as with an endpoint that is away.
 *
 * @param answers - By agent and step: `"triage/route"`.
 */
export function answerFrom(team: Team, answers: Readonly<Record<string, TestAnswer>>): ModelClient {
  const away = unreachableModel();
  return {
    ...away,
    ask: async (call) => {
      const answer = await answerOf(team, answers, call);
      if (answer === undefined) return away.ask(call);
      const hasCalls = answer instanceof StandInCalls;
      const text = hasCalls ? "" : typeof answer === "string" ? answer : JSON.stringify(answer);
      const calls = hasCalls
        ? answer.calls.map((one) => ({ name: one.tool, arguments: JSON.stringify(one.arguments) }))
        : [];
      return {
        text,
        model: "stand-in",
        usage: { input_tokens: tokensIn(call.instructions + call.input), output_tokens: tokensIn(text) },
        cost: 0,
        finish: "stop",
        durationMs: 0,
        ...(call.tools === undefined ? {} : { tools: { by: "calls" as const, calls } }),
      };
    },
  };
}

async function answerOf(
  team: Team,
  answers: Readonly<Record<string, TestAnswer>>,
  { agent, step, input, images, tools = [], exchange = [] }: ModelCall,
): Promise<unknown> {
  const name = agent.replace(/@\d+$/, "");
  const given = answers[`${name}/${step}`];
  const read: unknown = JSON.parse(input);
  if (given !== undefined) return given(read);
  const standIn = team.agents.get(name)?.options.standIns?.[step];
  const results = exchange
    .flatMap((round) => round.calls)
    .map((called) => ({
      tool: called.name,
      arguments: parse(called.arguments),
      outcome: parse(called.result),
    }));
  const offered = tools.map((tool) => tool.name);
  // Safe: the stand-in belongs to the step that made this input.
  return standIn?.(read as never, random, images, { offered, results });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function tokensIn(text: string): number {
  return Math.max(1, Math.ceil(text.length / CHARACTERS_PER_TOKEN));
}
