"""What commands tell about games in tables, bars and curves."""
