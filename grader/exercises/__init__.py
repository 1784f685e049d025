"""One folder per exercise; nothing else lists them."""
