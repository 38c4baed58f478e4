-- Sets what people think of a group, if it still is what they looked at, with its line of the audit.
-- KEYS: 1 group, 2 audit of the ward, 3 audit of the group
-- ARGV: 1 version that was looked at or "", 2 lifecycle, 3 now in ms, 4 who, 5 name of `since` or "", 6 its version,
--       7 audit entry, 8 audit length of the ward, 9 audit length of a group, 10 the mark as it was signed or ""
-- Reply: "marked" | "stale" | "absent"
local known = redis.call("HMGET", KEYS[1], "count", "marked_ms", "regressed_ms")
if not known[1] then return "absent" end
local version = math.max(1, tonumber(known[2] or "0"), tonumber(known[3] or "0"))
if ARGV[1] ~= "" and tonumber(ARGV[1]) ~= version then return "stale" end
redis.call("HDEL", KEYS[1], "resolved_by", "resolved_ms", "resolved_name", "resolved_version", "regressed_ms", "regressed_by",
  "signed_mark")
-- Two changes within one millisecond have to be told apart.
redis.call("HSET", KEYS[1], "lifecycle", ARGV[2], "marked_ms",
  string.format("%d", math.max(tonumber(ARGV[3]), version + 1)))
if ARGV[2] == "resolved" then redis.call("HSET", KEYS[1], "resolved_by", ARGV[4], "resolved_ms", ARGV[3]) end
if ARGV[5] ~= "" then redis.call("HSET", KEYS[1], "resolved_name", ARGV[5], "resolved_version", ARGV[6]) end
if ARGV[10] ~= "" then redis.call("HSET", KEYS[1], "signed_mark", ARGV[10]) end
redis.call("LPUSH", KEYS[3], pushAudit(KEYS[2], ARGV[7], tonumber(ARGV[8])))
redis.call("LTRIM", KEYS[3], 0, tonumber(ARGV[9]) - 1)
return "marked"
