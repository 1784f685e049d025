"""One report, several renderers: each takes the report's public form (`to_json`) and shows it somewhere."""
