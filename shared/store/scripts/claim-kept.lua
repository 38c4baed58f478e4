-- Marks a kept job as being sent back. Says so if it was marked before: then nothing tells whether it was added; and if
-- the job itself is still there, because its process died before BullMQ removed it.
local fields = redis.call("HMGET", record, "state", "timestamp")
local state = fields[1]
if not state then return "gone" end
if redis.call("HGET", job, "timestamp") == fields[2] then return "not_removed" end
redis.call("HSET", record, "state", "sending")
return state == "kept" and "claimed" or "marked"
