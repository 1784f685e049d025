"""What `check.sh` can be asked to do, a file each."""
