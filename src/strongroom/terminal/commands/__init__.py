"""The commands: each module has its help, `WORDS`, its arguments, `add`, and its code, `run`.

What a command needs is imported when it runs: help and shell completion only ask for arguments.
"""
