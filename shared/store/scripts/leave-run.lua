-- Deletes an archived run, unless it has changed since it was read. Every event leaves a mark among its messages.
local endedNow = redis.call("HGET", run, "ended_ms")
if not endedNow or tonumber(endedNow) ~= endedMs or redis.call("HLEN", messages) ~= marks then return 0 end
for _, index in ipairs({ runIndex, statusIndex, ownerIndex }) do redis.call("ZREM", index, runId) end
redis.call("UNLINK", run, messages, log)
return 1
