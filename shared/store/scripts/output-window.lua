-- Part of other scripts: well-formed ("g") and malformed ("m") outputs of one agent, in steps of `BUCKET_MS`. Its
-- circuit is judged by them.
local WINDOW_LIFE_MS = 7200000

local function windowKey(agent) return feedbackBase .. "circuit-window:" .. agent end

local function countInWindow(side, agent, count)
  local key = windowKey(agent)
  redis.call("HINCRBY", key, side .. ":" .. math.floor(nowMs / BUCKET_MS), count)
  redis.call("PEXPIRE", key, WINDOW_LIFE_MS)
end
