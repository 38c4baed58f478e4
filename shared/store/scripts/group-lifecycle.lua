-- Part of other scripts: rules of a group's lifecycle.

-- Version of a group: rises with each change of the lifecycle. From 1.
local function groupVersion(markedMs, regressedMs)
  return math.max(1, tonumber(markedMs or "0"), tonumber(regressedMs or "0"))
end

-- Returns true if a message is a regression: if the resolution names a version of a party, older versions of it are
-- not.
local function isRegression(resolvedName, resolvedVersion, parties)
  if not resolvedName then return true end
  for _, party in ipairs(parties) do
    if party.name == resolvedName then return party.version >= tonumber(resolvedVersion) end
  end
  return true
end
