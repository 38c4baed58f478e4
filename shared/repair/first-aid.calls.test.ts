import { describe } from "vitest";
import { closed, integer, list, named, readsAll, text } from "./testing/readings.ts";
import type { TextRow } from "./testing/readings.ts";

/** Lists, and calls of tools as models write them: all in their order, or none. */

describe("calls and lists: every value in order", () => {
  readsAll(
    (
      [
        [
          '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n<tool_call>\n{"name": "weather", "arguments": {"city": "Bergen"}}\n</tool_call>',
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo" }, { city: "Bergen" }],
        ],
        [
          '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n<tool_call>\n{"name": "weather", "arguments": {"city": "Bergen"}}\n</tool_call>',
          closed({ city: text, days: integer }, ["city"]),
          undefined,
        ],
        [
          '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n<tool_call>\n{"name": "weather", "arguments": {"city": "Bergen"}}\n</tool_call>',
          list(closed({ name: text, arguments: closed({ city: text, days: integer }, ["city"]) })),
          [
            { name: "weather", arguments: { city: "Oslo" } },
            { name: "weather", arguments: { city: "Bergen" } },
          ],
        ],
        [
          '[TOOL_CALLS]weather[ARGS]{"city": "Oslo"}',
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo" },
        ],
        [
          '[TOOL_CALLS]weather[ARGS]{"city": "Oslo"}[TOOL_CALLS]weather[ARGS]{"city": "Bergen", "days": 2}',
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo" }, { city: "Bergen", days: 2 }],
        ],
        [
          'weather[ARGS]{"city": "Oslo"}weather[ARGS]{"city": "Rome"}</s>',
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo" }, { city: "Rome" }],
        ],
        [
          '[TOOL_CALLS][{"name": "weather", "arguments": {"city": "Oslo"}}, {"name": "weather", "arguments": {"city": "Rome"}}]</s>',
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo" }, { city: "Rome" }],
        ],
        [
          '[TOOL_CALLS]weather[CALL_ID]a1b2c3d4e[ARGS]{"city": "Oslo"}',
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo" },
        ],
        [
          '[TOOL_CALLS]weather[ARGS]{"city": "Oslo"}[TOOL_CALLS]weather[ARGS]{"city": "Bergen"}',
          closed({ city: text, days: integer }, ["city"]),
          undefined,
        ],
        [
          '<minimax:tool_call>\n<invoke name="weather">\n<parameter name="city">Oslo</parameter>\n</invoke>\n<invoke name="weather">\n<parameter name="city">Rome</parameter>\n<parameter name="days">3</parameter>\n</invoke>\n</minimax:tool_call>',
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo" }, { city: "Rome", days: 3 }],
        ],
        [
          '<minimax:tool_call>\n<invoke name="weather">\n<parameter name="city">Oslo</parameter>\n</invoke>\n</minimax:tool_call>',
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo" },
        ],
        [
          '<tool_calls>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n{"name": "weather", "arguments": {"city": "Rome"}}\n</tool_calls>',
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo" }, { city: "Rome" }],
        ],
        [
          '[weather(city="Oslo", days=2), weather(city="Rome")]',
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo", days: 2 }, { city: "Rome" }],
        ],
        [
          "<|python_tag|>[weather(city='Oslo')]",
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo" },
        ],
        [
          '<|python_tag|>weather(city="Oslo", days=4)',
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo", days: 4 },
        ],
        [
          '<|python_tag|>weather.call(city="Oslo", days=4)<|eom_id|>',
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo", days: 4 },
        ],
        [
          '<function=weather>{"city": "Oslo"}</function>',
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo" },
        ],
        [
          '<function=weather>{"city": "Oslo"}</function><function=weather>{"city": "Rome"}</function>',
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo" }, { city: "Rome" }],
        ],
        [
          "<tool_call>\n<function=weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=weather>\n<parameter=city>\nRome\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo" }, { city: "Rome", days: 2 }],
        ],
        [
          '✿FUNCTION✿: weather\n✿ARGS✿: {"city": "Oslo"}',
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo" },
        ],
        [
          '{"city": "Oslo"}\n{"city": "Rome"}\n{"city": "Bonn"}',
          list(closed({ city: text })),
          [{ city: "Oslo" }, { city: "Rome" }, { city: "Bonn" }],
        ],
        [
          'First: {"city": "Oslo"} and second: {"city": "Rome"}',
          list(closed({ city: text })),
          [{ city: "Oslo" }, { city: "Rome" }],
        ],
        [
          '```json\n{"city": "Oslo"}\n```\nand\n```json\n{"city": "Rome"}\n```',
          list(closed({ city: text })),
          [{ city: "Oslo" }, { city: "Rome" }],
        ],
        ['{"city": "Oslo"}\n{"town": "Rome"}', list(closed({ city: text })), undefined],
        [
          'weather\n{"city": "Oslo"}\nweather\n{"city": "Rome"}',
          list(closed({ city: text })),
          [{ city: "Oslo" }, { city: "Rome" }],
        ],
        [
          'functions.weather:0 {"city": "Oslo"}',
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo" },
        ],
        [
          '<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_call_begin|>functions.weather:1<|tool_call_argument_begin|>{"city": "Rome"}<|tool_call_end|><|tool_calls_section_end|>',
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo" }, { city: "Rome" }],
        ],
        [
          '<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>',
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo" },
        ],
        [
          'Action: weather\nAction Input: {"city": "Oslo"}',
          closed({ city: text, days: integer }, ["city"]),
          { city: "Oslo" },
        ],
        [
          '[{"type":"function","function":{"name":"w","arguments":"{\\"city\\": \\"Oslo\\"}"}},{"type":"function","function":{"name":"w","arguments":"{\\"city\\": \\"Rome\\"}"}}]',
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo" }, { city: "Rome" }],
        ],
        [
          '{"name":"w","parameters":{"city":"Oslo"}}; {"name":"w","parameters":{"city":"Rome"}}',
          list(closed({ city: text, days: integer }, ["city"])),
          [{ city: "Oslo" }, { city: "Rome" }],
        ],
      ] satisfies TextRow[]
    ).map(named),
  );
});
