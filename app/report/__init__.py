"""How a report is shown in the app: while it comes, when it is there, hint by hint, and replayed in the hotel."""
