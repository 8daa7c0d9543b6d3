"""Figures as text, as plots and as pages that need nothing but themselves."""
