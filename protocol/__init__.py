"""What travels between a Bigtop server and its clients: typed messages, codecs, error and close codes. No I/O."""
