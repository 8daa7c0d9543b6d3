"""`strongroom completion`: shell completion, made from the command line's own parser."""

from __future__ import annotations

import argparse

from strongroom.terminal.arguments import Commands, command

WORDS = """\
examples:
  source <(strongroom completion bash)      add it to ~/.bashrc
  source <(strongroom completion zsh)       add it to ~/.zshrc
  strongroom completion fish | source       add it to config.fish
"""

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
        replay|resume|analyze) COMPREPLY+=($(compgen -f -- "$word")) ;;
    esac
}}
complete {filenames}-F _strongroom strongroom
"""

ZSH = "autoload -Uz compinit bashcompinit && compinit -C && bashcompinit\n"

GAMES = "$(strongroom games --names)"


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "completion", WORDS)
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Print the script."""
    print(script(chosen.shell, chosen.whole()), end="")
    return 0


def script(shell: str, whole: argparse.ArgumentParser) -> str:
    """The script that teaches a shell the commands, their options and the games' names."""
    commands = _commands(whole)
    if shell == "fish":
        return _fish(commands)
    values = []
    options = []
    for name, parser in commands.items():
        words = [GAMES] if _takes_game(parser) else []
        for action in parser._actions:
            words += action.option_strings
            choices = _choices(action)
            if choices and action.option_strings:
                pattern = "|".join(action.option_strings)
                values.append(_bash_values(pattern, f'-W "{" ".join(choices)}"'))
            else:
                words += choices
        options.append(f'        {name}) words="{" ".join(words)}" ;;')
    values.append(_bash_values("--save|--plot", "-f"))
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


def _takes_game(parser: argparse.ArgumentParser) -> bool:
    return any(action.dest == "game" for action in parser._actions)


def _choices(action: argparse.Action) -> list[str]:
    """What an argument may be; a name that a shell could take for more than a word is left out."""
    names = map(str, action.choices or ())
    return [name for name in names if name.isascii() and name.replace("-", "").isalnum()]


def _fish(commands: dict[str, argparse.ArgumentParser]) -> str:
    lines = [f"complete -c strongroom -f -n __fish_use_subcommand -a {name}" for name in commands]
    for name, parser in commands.items():
        seen = f"complete -c strongroom -n '__fish_seen_subcommand_from {name}'"
        if _takes_game(parser):
            lines.append(f"{seen} -f -a '(strongroom games --names)'")
        for action in parser._actions:
            choices = f" -x -a '{' '.join(_choices(action))}'" if _choices(action) else ""
            for option in action.option_strings:
                if option.startswith("--"):
                    lines.append(f"{seen} -l {option[2:]}{choices}")
            if not action.option_strings and choices:
                lines.append(f"{seen}{choices.replace(' -x', ' -f')}")
    return "\n".join(lines) + "\n"
