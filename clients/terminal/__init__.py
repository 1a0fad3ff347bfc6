"""What the terminal programs share: sentences, pictures of cards, reading lines."""
