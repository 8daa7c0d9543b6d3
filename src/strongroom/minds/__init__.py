"""What thinks outside: seats in text and in numbers, models, and programs in any language."""
