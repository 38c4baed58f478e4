-- Part of other scripts: BullMQ's set of delayed jobs. A score is a millisecond times this, so that jobs due in the
-- same millisecond keep their order.
local SCORES_OF_ONE_MS = 0x1000

-- Returns when the first delayed job of a queue is due, in ms, or nil.
local function firstDueMs(base)
  local score = redis.call("ZRANGE", base .. "delayed", 0, 0, "WITHSCORES")[2]
  return score and math.floor(tonumber(score) / SCORES_OF_ONE_MS)
end
