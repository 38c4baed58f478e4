-- Applies events to one run: appends them to its log, moves its messages between states, derives its status, and keeps
-- the counters of the conservation equation true. Repeats and late arrivals change nothing.
-- A message's state carries a rank that only rises, so that the order in which events arrive does not matter.
-- KEYS: 1 run, 2 messages, 3 log, 4 counts, 5 index
-- ARGV: 1 run id, 2 index prefix, 3 life of an ended run in ms, 4 log length max, 5 number of events, then for each event:
--   id, event, message id or "", rank, state, agent, number of opened messages, (message id, agent)…,
--   end ("" | failed | expired | cancelled | undo_failed), result, error, cost in micro-USD, tokens, "1" when it starts the run
-- Reply: {status, log length}
local runKey, messagesKey, logKey, countsKey = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local status = redis.call("HGET", runKey, "status")
if not status then return {"unknown", 0} end
local ENDED = { completed = true, failed = true, cancelled = true, expired = true }
local COUNTED = { open = "n_open", in_ward = "n_in_ward", quarantined = "n_quarantined" }

local function place(id, rank, state, agent)
  local now = redis.call("HGET", messagesKey, id)
  local oldState = nil
  if now then
    local sep1 = string.find(now, "|", 1, true)
    local sep2 = string.find(now, "|", sep1 + 1, true)
    if tonumber(string.sub(now, 1, sep1 - 1)) >= rank then return end
    oldState = string.sub(now, sep1 + 1, sep2 - 1)
  end
  redis.call("HSET", messagesKey, id, rank .. "|" .. state .. "|" .. agent)
  if oldState == state then return end
  if oldState and COUNTED[oldState] then redis.call("HINCRBY", runKey, COUNTED[oldState], -1) end
  if COUNTED[state] then redis.call("HINCRBY", runKey, COUNTED[state], 1) end
end

local at = 6
local started = false
-- A run that ended because a letter was discarded goes on when a person restores that letter.
local reopened = false
for _ = 1, tonumber(ARGV[5]) do
  local id, event, message, rank = ARGV[at], ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3])
  local state, agent, opened = ARGV[at + 4], ARGV[at + 5], tonumber(ARGV[at + 6])
  local first = at + 7
  local rest = first + opened * 2
  at = rest + 6
  if redis.call("HSETNX", messagesKey, "e:" .. id, 1) == 1 then
    if redis.call("LLEN", logKey) < tonumber(ARGV[4]) then
      redis.call("RPUSH", logKey, event)
    else
      redis.call("HINCRBY", runKey, "log_dropped", 1)
    end
    for o = 0, opened - 1 do place(ARGV[first + o * 2], 0, "open", ARGV[first + o * 2 + 1]) end
    if message ~= "" and state ~= "" then place(message, rank, state, agent) end
    if ARGV[rest] == "undo_failed" then
      redis.call("HINCRBY", runKey, "end_failed", -1)
      reopened = true
    elseif ARGV[rest] ~= "" then
      redis.call("HINCRBY", runKey, "end_" .. ARGV[rest], 1)
    end
    if ARGV[rest + 1] ~= "" then redis.call("HSET", runKey, "result", ARGV[rest + 1]) end
    if ARGV[rest + 2] ~= "" then redis.call("HSET", runKey, "error", ARGV[rest + 2]) end
    if ARGV[rest + 3] ~= "0" then redis.call("HINCRBY", runKey, "cost_micro", ARGV[rest + 3]) end
    if ARGV[rest + 4] ~= "0" then redis.call("HINCRBY", runKey, "tokens", ARGV[rest + 4]) end
    if ARGV[rest + 5] == "1" then started = true end
  end
end

if reopened and status == "failed" then
  redis.call("HDEL", runKey, "ended_ms")
  for _, key in ipairs({ runKey, messagesKey, logKey }) do redis.call("PERSIST", key) end
else
  reopened = false
end
if reopened or not ENDED[status] then
  local f = redis.call("HMGET", runKey, "n_open", "n_in_ward", "n_quarantined", "end_cancelled", "end_failed",
    "end_expired", "created_ms")
  local open, ward, quarantined = tonumber(f[1]), tonumber(f[2]), tonumber(f[3])
  local function ended(count) return (tonumber(count or "0") or 0) > 0 end
  local nextStatus
  if open + ward + quarantined == 0 then
    nextStatus = (ended(f[4]) and "cancelled") or (ended(f[5]) and "failed") or (ended(f[6]) and "expired") or "completed"
  elseif open > 0 then
    nextStatus = (started or status ~= "queued") and "running" or "queued"
  elseif ward > 0 then
    nextStatus = "in_ward"
  else
    nextStatus = "quarantined"
  end
  if nextStatus ~= status then
    redis.call("HINCRBY", countsKey, status, -1)
    redis.call("HINCRBY", countsKey, nextStatus, 1)
    redis.call("HSET", runKey, "status", nextStatus)
    redis.call("ZREM", ARGV[2] .. status, ARGV[1])
    redis.call("ZADD", ARGV[2] .. nextStatus, f[7] or 0, ARGV[1])
    if ENDED[nextStatus] then
      local time = redis.call("TIME")
      redis.call("HSET", runKey, "ended_ms", time[1] .. string.format("%03d", math.floor(tonumber(time[2]) / 1000)))
      for _, key in ipairs({ runKey, messagesKey, logKey }) do redis.call("PEXPIRE", key, ARGV[3]) end
    end
    status = nextStatus
  end
end
return {status, redis.call("LLEN", logKey)}
