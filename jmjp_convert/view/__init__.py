"""A game as a page to look at: plain HTML, CSS and JavaScript, which are files beside this one, and the game as JSON."""
