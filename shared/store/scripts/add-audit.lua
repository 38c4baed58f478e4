-- Adds a line to the ward's audit, and to that of a group or a recipe.
local line = pushAudit(wardAudit, entry, auditLength)
if audit ~= wardAudit then
  redis.call("LPUSH", audit, line)
  redis.call("LTRIM", audit, 0, ownAuditLength - 1)
end
