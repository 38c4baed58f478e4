-- Ends the sending of a kept job: deletes the copy of one that was added, and keeps that of one that was not.
if redis.call("EXISTS", record) == 0 then return end
if not isSent then
  redis.call("HSET", record, "state", "kept")
  return
end
local id = redis.call("HGET", record, "id")
redis.call("DEL", record)
redis.call("ZREM", kept, uid)
redis.call("XADD", audit, "MAXLEN", "~", auditMax, "*", "at", nowMs, "job", id, "deed", "added again", "by", by, "before", "", "after", addedId, "batch", "")
