-- Writes one entry of a board (compare-and-set) and notifies watchers. Idempotent by the write's id.
local before = redis.call("HGET", writes, writeId)
if before then return { "written", tonumber(before) } end
local field, versionField = "e:" .. entry, "v:" .. entry
local held = redis.call("HMGET", entries, versionField, "#bytes", "#entries")
local version = tonumber(held[1] or "0")
if expectedVersion and expectedVersion ~= version then return { "conflict", version } end
local text = '{"version":' .. (version + 1) .. "," .. restOfEntry
local bytes = tonumber(held[2] or "0") - redis.call("HSTRLEN", entries, field) + #text
local count = tonumber(held[3] or "0") + (version == 0 and 1 or 0)
if bytes > bytesMax then return { "full", "bytes" } end
if count > entriesMax then return { "full", "entries" } end
if redis.call("HLEN", writes) >= writesMax then return { "full", "writes" } end
redis.call("HSET", entries, field, text, versionField, version + 1, "#bytes", bytes, "#entries", count)
redis.call("HINCRBY", entries, "#version", 1)
redis.call("HSET", writes, writeId, version + 1)
for _, key in ipairs({ entries, writes }) do redis.call("PEXPIRE", key, lifeMs) end
redis.call("PUBLISH", channel, "changed")
return { "written", version + 1 }
