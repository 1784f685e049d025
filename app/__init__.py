"""The playground: screens, charts and the player, over the grader's replay."""
