-- Accepts a message that a bridge brought from another cluster: the message, its run's record and its deduplication
-- key, in one step. Durable and idempotent.
-- Where one Redis holds every slot, the job is added to its queue; elsewhere it goes to the outbox.
local CLOCKS_APART_MS = 3600000
local known = redis.call("HGET", taken, "digest")
if known then return known == digest and "known" or "foreign" end
-- Older than the deduplication window: a duplicate cannot be ruled out.
if firstSentMs < nowMs - memoryMs then return "forgotten" end
if entryId then
  redis.call("HSET", outbox, entryId, entry)
else
  addPlain(queueBase, messageId, data, jobOptions, nowMs, atHead)
end
if returnsTo and redis.call("EXISTS", run) == 0 then
  redis.call("HSET", run, "status", "queued", "n_open", 0, "n_in_ward", 0, "n_quarantined", 0,
    "created_ms", guestCreatedMs(nowMs), "team", team, "trace_id", traceId, "first_message_id", messageId,
    "returns_to", returnsTo)
  redis.call("HINCRBY", runCounts, "submitted", 1)
  redis.call("HINCRBY", runCounts, "queued", 1)
  redis.call("ZADD", runIndex, nowMs, runId)
  redis.call("ZADD", queuedIndex, nowMs, runId)
end
applyToRuns()
redis.call("HSET", taken, "digest", digest)
redis.call("PEXPIRE", taken, memoryMs + CLOCKS_APART_MS)
return "taken"
