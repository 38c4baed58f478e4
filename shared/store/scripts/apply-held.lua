-- Tells a run what an agent says happened to a message, if the run's own record has that message at that agent. What the
-- agent writes in its own slot proves nothing; the record is written by those whom it cannot be.
-- KEYS: 1 counts, 2 index of all runs, 3 record, 4 messages and 5 log of the run
-- ARGV: 1 message id, 2 its agent, 3 id of the first event, 4 number of messages that it opens, then for each its id and
--       its agent; then the branch that the message has to be of, "" for none, "*" where that is all the same; then what
--       `applyToRuns` reads
-- Reply: "applied" | "repeated" the same event was applied before, and opened all of these messages |
--        "unknown" the record does not have the message | "elsewhere" another agent has it |
--        "strange" it is of another branch | "settled" it is not open any more | "taken" one of the opened messages is in the record for another reason
local opened = tonumber(ARGV[4])
local function agentOf(held) return string.match(held, "^%d+|[^|]*|([^|]*)") end

local held = redis.call("HGET", KEYS[4], ARGV[1])
if not held then return "unknown" end
if agentOf(held) ~= ARGV[2] then return "elsewhere" end
local branch = ARGV[5 + opened * 2]
if branch ~= "*" and string.match(held, "^%d+|[^|]*|[^|]*|?(.*)$") ~= branch then return "strange" end
local isRepeated = redis.call("HEXISTS", KEYS[4], "e:" .. ARGV[3]) == 1
if not isRepeated and string.match(held, "^%d+|([^|]*)|") ~= "open" then return "settled" end
for i = 0, opened - 1 do
  local child = redis.call("HGET", KEYS[4], ARGV[5 + i * 2])
  if isRepeated and (not child or agentOf(child) ~= ARGV[6 + i * 2]) then return "taken" end
  if not isRepeated and child then return "taken" end
end
if isRepeated then return "repeated" end
applyToRuns(KEYS[1], KEYS[2], 6 + opened * 2)
return "applied"
