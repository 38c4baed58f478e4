-- Raises a mark; one that is as high or higher stays.
-- KEYS: 1 mark   ARGV: 1 number, 2 life in ms, or "" for ever
if tonumber(redis.call("GET", KEYS[1]) or "0") >= tonumber(ARGV[1]) then return false end
if ARGV[2] == "" then redis.call("SET", KEYS[1], ARGV[1]) else redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2]) end
return false
