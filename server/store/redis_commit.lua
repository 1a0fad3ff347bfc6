-- Appends one entry to a table's log if the log ends where the writer believes, and changes with it all that says where
-- the table stands. Then tells everybody.
--
-- An element of the log begins with its head (version and id), so that comparing beginnings compares heads, and every
-- version's head stays known.
--
-- KEYS log, deadlines, listings, wants, unfinished, finished
-- ARGV expected head ('' for none), its version, element, table, deadline ('' for none), listing ('' for none, else with
--      one byte before it), wants (the same), time of the end ('' if this is not the end), then channels and messages
-- Returns nil if it was stored, else the elements that the writer missed.
local expected, version, element, name = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local last = redis.call('LINDEX', KEYS[1], -1)

local function has_head(found)
  return found and expected ~= '' and string.sub(found, 1, #expected) == expected
end

if last and not has_head(last) or not last and expected ~= '' then
  local since = 0
  if version > 0 and has_head(redis.call('LINDEX', KEYS[1], version - 1)) then
    since = version
  end
  return redis.call('LRANGE', KEYS[1], since, -1)
end

redis.call('RPUSH', KEYS[1], element)
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[2], name)
else
  redis.call('ZADD', KEYS[2], ARGV[5], name)
end
for i = 3, 4 do
  if ARGV[i + 3] == '' then
    redis.call('HDEL', KEYS[i], name)
  else
    redis.call('HSET', KEYS[i], name, ARGV[i + 3])
  end
end
if ARGV[8] ~= '' then
  redis.call('SREM', KEYS[5], name)
  redis.call('ZADD', KEYS[6], 'NX', ARGV[8], name)
elseif not last then
  redis.call('SADD', KEYS[5], name)
end
for i = 9, #ARGV, 2 do
  redis.call('PUBLISH', ARGV[i], ARGV[i + 1])
end
return false
