import { expect, test } from "vitest";
import { ANSWER, openRefusing as open } from "./support/refusing-endpoint.ts";

/** Refusals of messages: of their roles, and of pictures, in the words of several servers. */

test.each([
  [400, { object: "error", message: "System role not supported", code: 400 }],
  [
    422,
    {
      error: "Template error: syntax error: Conversation roles must alternate user/assistant/",
      error_type: "x",
    },
  ],
])("a template that knows no system is asked in the user's turn (%i, %j)", async (status, body) => {
  const { ask, seen, found } = await open((sent) =>
    sent.includes('"role":"system"') ? { status, body } : null,
  );
  const reask = { previousAnswer: "", problems: "/route: missing" };
  expect(await ask({ history: [{ role: "user", content: "earlier" }], reask })).toMatchObject({
    text: ANSWER,
  });
  await ask();
  expect(found.map(({ lack }) => lack)).toEqual(["system_role"]);
  // The client's own request.
  const { messages } = JSON.parse(seen[1] ?? "") as { messages: { role: string; content: string }[] };
  expect(messages.map(({ role }) => role)).toEqual(["user"]);
  for (const part of ["Sort.", "earlier", '{"text":"Grüße 1"}', "/route: missing"])
    expect(messages[0]?.content).toContain(part);
});

test("pictures stay in the user's turn beside what the system says", async () => {
  const { ask, seen } = await open((sent) =>
    sent.includes('"role":"system"') ? { status: 400, body: { message: "System role not supported" } } : null,
  );
  await ask({ images: [{ mimeType: "image/png", bytes: new Uint8Array(3) }] });
  expect(JSON.parse(seen[1] ?? "")).toMatchObject({
    messages: [
      {
        role: "user",
        content: [{ text: "Sort." }, { text: '{"text":"Grüße 1"}' }, { type: "image_url" }],
      },
    ],
  });
});

const SEES_NOTHING: [number, unknown][] = [
  [
    400,
    {
      error: {
        message: "Invalid content type. image_url is only supported by certain models.",
        type: "invalid_request_error",
      },
    },
  ],
  [422, { error: "messages[1]: unknown variant `image_url`, expected `text`" }],
  [
    500,
    { error: { code: 500, message: 'Failed to parse messages: Unsupported content part type: "image_url"' } },
  ],
];

test.each(SEES_NOTHING)(
  "a model that sees no pictures is no fault of the others (%i, %j)",
  async (status, body) => {
    const { ask, seen } = await open(() => ({ status, body }));
    const picture = { mimeType: "image/png" as const, bytes: new Uint8Array(3) };
    const refused = { code: "MODEL_INPUT_REFUSED", failureClass: "content_error", reason: "pictures" };
    await expect(ask({ images: [picture] })).rejects.toMatchObject(refused);
    expect(seen).toHaveLength(1);
    await expect(ask()).rejects.not.toMatchObject({ code: "MODEL_INPUT_REFUSED" });
  },
);
