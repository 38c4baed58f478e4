-- Part of other scripts: the state of a message in its run's record: rank, state, agent and optional fan-out branch,
-- separated by bars. One text per message, because every hop of every agent reads and writes it.

local function messageState(rank, state, agent, branch)
  local text = rank .. "|" .. state .. "|" .. agent
  return branch and text .. "|" .. branch or text
end

-- Returns rank (as text), state, agent and branch (nil for none).
local function readMessageState(text)
  local rank, state, agent, branch = string.match(text, "^(%d+)|([^|]*)|([^|]*)|?(.*)$")
  return rank, state, agent, branch ~= "" and branch or nil
end
