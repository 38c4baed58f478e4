-- Appends one record to what people did, if nobody else has meanwhile: each record names the one before.
-- KEYS: 1 records, oldest first, 2 head: what is said of the last record and of how many there are
-- ARGV: 1 head that the record was worked out from, or "" for none, 2 record, 3 next head, 4 records kept
-- Reply: nil when it is appended | the head as it is, "" for none
local head = redis.call("GET", KEYS[2]) or ""
if head ~= ARGV[1] then return head end
if redis.call("RPUSH", KEYS[1], ARGV[2]) > tonumber(ARGV[4]) then redis.call("LTRIM", KEYS[1], -tonumber(ARGV[4]), -1) end
redis.call("SET", KEYS[2], ARGV[3])
return nil
