-- Keeps what a command intends, unless something else than ARGV[2] is kept already.
-- KEYS intent
-- ARGV intent, the one that it may replace (with one byte before it; '' for none), ms to keep it
-- Returns the one that is kept.
local kept = redis.call('GET', KEYS[1])
if kept and '=' .. kept ~= ARGV[2] then
  return kept
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return ARGV[1]
