"""The hotel in the browser: plays a trace, step by step, without a round trip."""
