-- Part of other scripts: where a message is, as its run's record keeps it: rank, state, agent, and its branch of a fan-out
-- where it has one, with bars between them. One text a message, because every hop of every agent reads and writes it.
-- A place is an agent with its branch.

local function messageState(rank, state, place) return rank .. "|" .. state .. "|" .. place end

-- Returns rank (as text), state, agent and branch ("" for none).
local function readMessageState(text) return string.match(text, "^(%d+)|([^|]*)|([^|]*)|?(.*)$") end

local function hasBranch(place) return string.find(place, "|", 1, true) ~= nil end

local function withBranch(text, branch) return branch == "" and text or text .. "|" .. branch end

-- The branch of a place, "" for none.
local function branchOf(place) return string.match(place, "^[^|]*|(.*)$") or "" end
