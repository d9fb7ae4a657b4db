"""Pages that play a game back: HTML, CSS and JavaScript, with the game as JSON."""
