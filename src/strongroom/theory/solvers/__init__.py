"""What the theories of several games share: linear programmes, sequence form, best responses."""
