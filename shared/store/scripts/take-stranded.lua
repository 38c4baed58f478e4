-- Removes a job by hand, once its case is in the ward. Works on raw keys, because BullMQ cannot read a job whose
-- stored JSON is broken.
for _, list in ipairs({ wait, active }) do redis.call("LREM", list, 0, jobId) end
for _, set in ipairs({ failed, delayed, prioritized }) do redis.call("ZREM", set, jobId) end
redis.call("SREM", stalled, jobId)
redis.call("DEL", job, lock)
