"""Whatever thinks can play: a seat in text, and the programs and models that sit down there."""
