-- Gives the runs of releases that knew no tenants to the default one, once for each deployment.
if not redis.call("SET", doneMark, 1, "NX") then return end
redis.call("SADD", tenants, defaultTenant)
redis.call("ZUNIONSTORE", indexOfDefault, 2, indexOfDefault, indexOfAll, "AGGREGATE", "MAX")
