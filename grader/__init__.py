"""KV Hotel's grader: runs a learner's file in a sandbox and says, with reasons, if it keeps the contract."""
