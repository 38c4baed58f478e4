-- Accepts a task durably: the run, its first message and the counts, in one step.
-- Idempotent by run id: a client that lost its connection before the reply sends the script again.
if redis.call("EXISTS", run) == 1 then return { "accepted", runId } end
if digest then
  local known = redis.call("HMGET", idempotency, "run_id", "digest")
  if known[1] then return { known[2] == digest and "repeated" or "conflict", known[1] } end
end
local waiting = 0
for _, n in ipairs(redis.call("HMGET", runCounts, "queued", "running", "in_ward", "quarantined")) do
  waiting = waiting + (tonumber(n or "0") or 0)
end
if waiting >= waitingMax then return { "full", waiting } end
local names, day = {}, math.floor(tonumber(createdMs) / 86400000)
for i, account in ipairs(accounts) do
  local name = account.name
  local key = ownerBase .. ":open:" .. name
  if account.openMax and redis.call("ZCARD", key) >= account.openMax then return { "over", name, "open" } end
  if account.waitingMax and redis.call("ZCOUNT", key, 1, 1) >= account.waitingMax then
    return { "over", name, "waiting" }
  end
  local spent = account.dayMicroMax and redis.call("GET", ownerBase .. ":spent:" .. day .. ":" .. name)
  if spent and tonumber(spent) >= account.dayMicroMax then return { "over", name, "day" } end
  names[i] = name
end
-- Commands that may fail come before the run is written, so that a failure leaves nothing accepted.
for i = 1, #jobs do addJob(jobs[i], createdMs) end
redis.call("HSET", run, "status", "queued", "n_open", 1, "n_in_ward", 0, "n_quarantined", 0, unpack(fields))
redis.call("SADD", ownerBase .. "s", tenant)
redis.call("ZADD", ownerBase .. ":runs:" .. tenant, createdMs, runId)
for _, name in ipairs(names) do redis.call("ZADD", ownerBase .. ":open:" .. name, 1, runId) end
if #names > 0 then
  redis.call("SADD", ownerBase .. ":accounts", unpack(names))
  redis.call("HSET", run, "accounts", table.concat(names, " "))
end
redis.call("HSET", messages, messageId, messageState(0, "open", agent, nil), "e:" .. eventId, 1)
redis.call("RPUSH", log, event)
redis.call("HINCRBY", runCounts, "submitted", 1)
redis.call("HINCRBY", runCounts, "queued", 1)
redis.call("ZADD", runIndex, createdMs, runId)
redis.call("ZADD", queuedIndex, createdMs, runId)
if hasWebhook then redis.call("ZADD", webhooks, createdMs, runId) end
if digest then
  redis.call("HSET", idempotency, "run_id", runId, "digest", digest)
  redis.call("PEXPIRE", idempotency, idempotencyLifeMs)
end
return { "accepted", runId }
