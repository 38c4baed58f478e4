// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { useCommands } from "./commands.ts";

afterEach(cleanup);

function Listening({ onKey }: { readonly onKey: () => void }) {
  useCommands([{ name: "Next", key: "j", run: onKey }]);
  return <input aria-label="Why" />;
}

it("calls what belongs to a key, and nothing while somebody types or holds Ctrl", async () => {
  const onKey = vi.fn<() => void>();
  const user = userEvent.setup();
  render(<Listening onKey={onKey} />);
  await user.keyboard("j");
  expect(onKey).toHaveBeenCalledTimes(1);
  await user.keyboard("{Control>}j{/Control}");
  await user.type(screen.getByLabelText("Why"), "just");
  expect(onKey).toHaveBeenCalledTimes(1);
});
