"""The desk: submissions and their reports, the line they stand in, the judges that grade them."""
