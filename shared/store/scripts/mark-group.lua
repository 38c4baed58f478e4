-- Changes a group's lifecycle (compare-and-set on its version), with a line of the audit.
local known = redis.call("HMGET", group, "count", "marked_ms", "regressed_ms")
if not known[1] and not isKnown then return "absent" end
local version = groupVersion(known[2], known[3])
if seenVersion and seenVersion ~= version then return "stale" end
redis.call("HDEL", group, "resolved_by", "resolved_ms", "resolved_name", "resolved_version", "regressed_ms", "regressed_by", "until_ms")
-- Keeps versions distinct for two changes within one millisecond.
redis.call("HSET", group, "lifecycle", lifecycle, "marked_ms", string.format("%d", math.max(nowMs, version + 1)))
if lifecycle == "resolved" then redis.call("HSET", group, "resolved_by", by, "resolved_ms", nowMs) end
if untilMs then redis.call("HSET", group, "until_ms", string.format("%d", untilMs)) end
if sinceName then redis.call("HSET", group, "resolved_name", sinceName, "resolved_version", sinceVersion) end
redis.call("LPUSH", groupAudit, pushAudit(wardAudit, entry, auditLength))
redis.call("LTRIM", groupAudit, 0, groupAuditLength - 1)
return "marked"
