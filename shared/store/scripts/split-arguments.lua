-- Part of other scripts: splits arguments that were sent as the lines of one text, which is cheaper for the sender
-- than separate ones. After an empty text they are separate: one of them contains a line break.
local function splitArguments(given)
  local arguments, count, from = {}, 0, 1
  if given[1] == "" then
    for i = 2, #given do arguments[i - 1] = given[i] end
    return arguments
  end
  -- Locals, because name lookups are half of the cost.
  local text, find, sub = given[1], string.find, string.sub
  local stop = find(text, "\n", 1, true)
  while stop do
    count = count + 1
    arguments[count] = sub(text, from, stop - 1)
    from = stop + 1
    stop = find(text, "\n", from, true)
  end
  arguments[count + 1] = sub(text, from)
  return arguments
end
local ARGV = splitArguments(ARGV)
