-- Writes one entry of a board, if it still is what its writer read, and tells who watches. Idempotent by the write's id.
-- KEYS: 1 entries, 2 writes that were made
-- ARGV: 1 entry, 2 version that it must have, "0" for none, "" for any, 3 id of the write, 4 rest of the entry's JSON text,
--       behind its version, 5 bytes of all entries at most, 6 entries at most, 7 writes at most, 8 life in ms from now,
--       9 channel
-- Reply: {"written", version} | {"conflict", version} | {"full", "bytes" | "entries" | "writes"}
local before = redis.call("HGET", KEYS[2], ARGV[3])
if before then return {"written", tonumber(before)} end
local field = "e:" .. ARGV[1]
local held = redis.call("HMGET", KEYS[1], "v:" .. ARGV[1], "#bytes", "#entries")
local version = tonumber(held[1] or "0")
if ARGV[2] ~= "" and tonumber(ARGV[2]) ~= version then return {"conflict", version} end
local text = '{"version":' .. (version + 1) .. "," .. ARGV[4]
local bytes = tonumber(held[2] or "0") - redis.call("HSTRLEN", KEYS[1], field) + #text
local entries = tonumber(held[3] or "0") + (version == 0 and 1 or 0)
if bytes > tonumber(ARGV[5]) then return {"full", "bytes"} end
if entries > tonumber(ARGV[6]) then return {"full", "entries"} end
if redis.call("HLEN", KEYS[2]) >= tonumber(ARGV[7]) then return {"full", "writes"} end
redis.call("HSET", KEYS[1], field, text, "v:" .. ARGV[1], version + 1, "#bytes", bytes, "#entries", entries)
redis.call("HINCRBY", KEYS[1], "#version", 1)
redis.call("HSET", KEYS[2], ARGV[3], version + 1)
for _, key in ipairs(KEYS) do redis.call("PEXPIRE", key, ARGV[8]) end
redis.call("PUBLISH", ARGV[9], "changed")
return {"written", version + 1}
