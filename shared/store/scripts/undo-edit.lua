-- Writes the original data back to a job that is in the failed set with the data that was last written to it.
local kept = redis.call("HMGET", record, "original", "version", "state", "score", "born")
if not kept[1] then return "nothing_kept" end
local score = redis.call("ZSCORE", failed, id)
if not score then return redis.call("EXISTS", job) == 1 and "not_failed" or "gone" end
-- The record is of an earlier job with this id.
if kept[5] ~= (readForeign("HGET", job, "timestamp") or "") then return "nothing_kept" end
if kept[3] == "sending" and kept[4] == score then return "under_way" end
local data = readForeign("HGET", job, "data")
if not data or redis.sha1hex(data) ~= kept[2] then return "changed" end
redis.call("HSET", job, "data", kept[1])
local after = redis.sha1hex(kept[1])
redis.call("HDEL", record, "original")
redis.call("HSET", record, "state", "undone", "version", after)
redis.call("XADD", audit, "MAXLEN", "~", auditMax, "*", "at", nowMs, "job", id, "deed", "undone", "by", by, "before", kept[2], "after", after)
return "undone"
