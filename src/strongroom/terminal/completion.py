"""Shell completion, made from the command line's own parser."""

from __future__ import annotations

import argparse

BASH = """\
_strongroom() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
    case "$before" in
{values}
    esac
    case "${{COMP_WORDS[1]}}" in
{options}
        *) words="{commands} --help --version" ;;
    esac
    [ "$COMP_CWORD" -eq 1 ] && words="{commands} --help --version"
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    case "${{COMP_WORDS[1]}}" in
        replay|resume) COMPREPLY+=($(compgen -f -- "$word")) ;;
    esac
}}
complete {filenames}-F _strongroom strongroom
"""

ZSH = "autoload -Uz compinit bashcompinit && compinit -C && bashcompinit\n"

GAMES = "$(strongroom games --names)"


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The script that teaches a shell the commands, their options and the games' names."""
    commands = _commands(parser)
    if shell == "fish":
        return _fish(commands)
    values = []
    options = []
    for name, command in commands.items():
        words = [GAMES] if _takes_game(command) else []
        for action in command._actions:
            words += action.option_strings
            if action.choices and action.option_strings:
                choices = " ".join(map(str, action.choices))
                pattern = "|".join(action.option_strings)
                values.append(_bash_values(pattern, f'-W "{choices}"'))
            elif action.choices:
                words += map(str, action.choices)
        options.append(f'        {name}) words="{" ".join(words)}" ;;')
    values.append(_bash_values("--save", "-f"))
    bash = BASH.format(
        values="\n".join(dict.fromkeys(values)),
        options="\n".join(options),
        commands=" ".join(commands),
        # zsh would take every word for a file, and put no space behind it.
        filenames="" if shell == "zsh" else "-o filenames ",
    )
    return ZSH + bash if shell == "zsh" else bash


def _bash_values(option: str, words: str) -> str:
    return f'        {option}) COMPREPLY=($(compgen {words} -- "$word")); return ;;'


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _takes_game(command: argparse.ArgumentParser) -> bool:
    return any(action.dest == "game" for action in command._actions)


def _fish(commands: dict[str, argparse.ArgumentParser]) -> str:
    lines = [f"complete -c strongroom -f -n __fish_use_subcommand -a {name}" for name in commands]
    for name, command in commands.items():
        seen = f"complete -c strongroom -n '__fish_seen_subcommand_from {name}'"
        if _takes_game(command):
            lines.append(f"{seen} -f -a '(strongroom games --names)'")
        for action in command._actions:
            choices = f" -x -a '{' '.join(map(str, action.choices))}'" if action.choices else ""
            for option in action.option_strings:
                if option.startswith("--"):
                    lines.append(f"{seen} -l {option[2:]}{choices}")
            if not action.option_strings and choices:
                lines.append(f"{seen}{choices.replace(' -x', ' -f')}")
    return "\n".join(lines) + "\n"
