"""Pages that replay a game: HTML, CSS and JavaScript, with the game as JSON."""
