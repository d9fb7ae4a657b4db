"""A game as a page to look at: HTML, CSS and JavaScript, plain files beside this one, and the game as JSON."""
