-- Part of other scripts: their arguments, which come as the lines of one text. An argument of its own costs whoever sends
-- it more than a line does. Behind an empty text they come as they are: one of them has a line break itself.
local function splitArguments(given)
  local arguments, from = {}, 1
  if given[1] == "" then
    for i = 2, #given do arguments[i - 1] = given[i] end
    return arguments
  end
  local text = given[1]
  local stop = string.find(text, "\n", 1, true)
  while stop do
    arguments[#arguments + 1] = string.sub(text, from, stop - 1)
    from = stop + 1
    stop = string.find(text, "\n", from, true)
  end
  arguments[#arguments + 1] = string.sub(text, from)
  return arguments
end
local ARGV = splitArguments(ARGV)
