"""The sandbox: a child process that runs a submission, its walls, and the messages that cross them."""
