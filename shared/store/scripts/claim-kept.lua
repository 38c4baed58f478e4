-- Marks a kept job as being sent back. Says so if it was marked before: then nothing tells whether it was added.
local state = redis.call("HGET", record, "state")
if not state then return "gone" end
redis.call("HSET", record, "state", "sending")
return state == "kept" and "claimed" or "marked"
