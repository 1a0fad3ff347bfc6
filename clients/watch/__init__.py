"""`bigtop watch`: follows a table in the terminal."""
