-- Checks that a failed job is as it was read and may go back, keeps its original data, writes the new data and marks it.
local score = redis.call("ZSCORE", failed, id)
if not score then return { "held", redis.call("EXISTS", job) == 1 and "not_failed" or "gone" } end
if redis.call("TYPE", job).ok ~= "hash" then return { "held", "unreadable" } end
local data = redis.call("HGET", job, "data")
if not data or redis.sha1hex(data) ~= version then return { "held", "changed" } end
local born = redis.call("HGET", job, "timestamp") or ""
local before = redis.call("HMGET", record, "state", "score", "redrives", "born")
if before[4] and before[4] ~= born then
  -- The record is of an earlier job with this id.
  redis.call("DEL", record)
  before = {}
end
if before[1] == "sending" and before[2] == score then return { "held", "under_way" } end
local parentState = "none"
if sends then
  if tonumber(before[3] or "0") >= redrivesMax then return { "held", "redrives_used" } end
  local meta = engineMajor > 0 and readForeign("HMGET", prefix .. "meta", "paused", "version") or {}
  local theirs = meta[1] and meta[2] and tonumber(string.match(meta[2], "^bullmq:(%d+)%."))
  if theirs and theirs < engineMajor then return { "held", "paused" } end
  local names = redis.call("HMGET", job, "deid", "parent")
  if names[1] then
    local holder = readForeign("GET", prefix .. "de:" .. names[1])
    if holder and holder ~= id then return { "held", "deduplication_in_use" } end
  end
  if names[2] then
    local isRead, parent = pcall(cjson.decode, names[2])
    local isNamed = isRead and type(parent) == "table" and type(parent.queueKey) == "string"
    if not isNamed or (type(parent.id) ~= "string" and type(parent.id) ~= "number") then
      return { "held", "parent_gone" }
    end
    if redis.call("EXISTS", parent.queueKey .. ":" .. parent.id) == 0 then return { "held", "parent_gone" } end
    if readForeign("ZSCORE", parent.queueKey .. ":waiting-children", parent.id) then
      parentState = "waiting"
    elseif readForeign("ZSCORE", parent.queueKey .. ":failed", parent.id) then
      parentState = "failed"
    else
      return { "held", "parent_done" }
    end
  end
end
redis.call("HSETNX", record, "original", data)
local written = replaces and newData or data
if replaces then redis.call("HSET", job, "data", written) end
local after = redis.sha1hex(written)
redis.call("HSET", record, "state", sends and "sending" or "edited", "score", score, "version", after, "born", born)
redis.call("ZADD", records, nowMs, id)
if sends then
  redis.call("HINCRBY", record, "redrives", 1)
  redis.call("ZADD", unfinished, nowMs, id)
end
local deed = sends and (replaces and "edited and sent" or "sent") or "edited"
redis.call("XADD", audit, "MAXLEN", "~", auditMax, "*", "at", nowMs, "job", id, "deed", deed, "by", by, "before", version, "after", after, "batch", batch)
return { "written", after, parentState }
