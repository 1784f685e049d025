"""Learn: a lesson as a screen, page by page; what the learner answered is kept for them alone."""
