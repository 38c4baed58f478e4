-- Part of other scripts: where a message is, as its run's record keeps it: rank, state, agent, and its branch of a fan-out
-- where it has one, with bars between them. One text a message, because every hop of every agent reads and writes it.

local function messageState(rank, state, agent, branch)
  local text = rank .. "|" .. state .. "|" .. agent
  return branch and text .. "|" .. branch or text
end

-- Returns rank (as text), state, agent and branch (nil for none).
local function readMessageState(text)
  local rank, state, agent, branch = string.match(text, "^(%d+)|([^|]*)|([^|]*)|?(.*)$")
  return rank, state, agent, branch ~= "" and branch or nil
end
