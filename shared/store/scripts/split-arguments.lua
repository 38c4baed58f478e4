-- Part of other scripts: their arguments, which come as the lines of one text. An argument of its own costs whoever sends
-- it more than a line does. Behind an empty text they come as they are: one of them has a line break itself.
local function splitArguments(given)
  local arguments, count, from = {}, 0, 1
  if given[1] == "" then
    for i = 2, #given do arguments[i - 1] = given[i] end
    return arguments
  end
  -- Looking names up is half of what this costs.
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
