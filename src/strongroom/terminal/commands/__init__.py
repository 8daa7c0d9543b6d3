"""The commands of the command line: each module has its arguments, `add`, and its code, `run`.

What a command needs is imported when it runs: help and shell completion only ask for arguments.
"""
