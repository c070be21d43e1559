"""The command line, one file a job."""
