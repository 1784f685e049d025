"""What a learner handed in before: the list, how it went over time, and two of them side by side."""
