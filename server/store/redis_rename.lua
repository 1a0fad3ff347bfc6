-- Changes a player that exists.
-- KEYS player
-- ARGV name, bot
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HSET', KEYS[1], 'name', ARGV[1], 'bot', ARGV[2])
end
