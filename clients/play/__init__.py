"""`bigtop play`: a small line-based game in the terminal."""
