"""`strongroom doctor` and `strongroom completion`: what is installed, and the shell."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import add_option
from strongroom.terminal.exits import FAILED, FINISHED
from strongroom.terminal.printing import has_unicode, paste
from strongroom.text.quoting import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strongroom.plugins.installed import Examined

DOCTOR_HELP = """\
examples:
  strongroom doctor                 what is installed, and what to install
  strongroom doctor gymnasium mcp   only these; exit code 1 unless both are open
  strongroom doctor --try           import each, to find what is broken
  strongroom doctor --json

Say for every framework in which the games can be used, and for every other
extra, whether it is installed in a version that strongroom accepts, and how to
install it if not. Nothing is imported, unless --try is given. Exit code 1 means
that an extra is broken or in another version than is needed, or that one that
was named is not open.
"""


def define_doctor(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom doctor`."""
    from strongroom.plugins.installed import EXTRAS

    parser.add_argument(
        "extra", metavar="EXTRA", nargs="*", choices=list(EXTRAS), help="only these"
    )
    add_option(parser, "--try", "import each one, which takes a while", dest="trying")
    add_option(parser, "--json", "print one JSON object")


def run_doctor(chosen: argparse.Namespace) -> int:
    """Print what was found; something that is broken is a failure."""
    import json
    import platform

    from strongroom.plugins.installed import EXTRAS, State, examine
    from strongroom.version import __version__

    found = examine(dict.fromkeys(chosen.extra) or EXTRAS, chosen.trying)
    python = platform.python_version()
    if chosen.json:
        extras = [each.to_json() for each in found]
        print(json.dumps({"strongroom": __version__, "python": python, "extras": extras}))
    else:
        print(f"strongroom {__version__}, Python {python}\n")
        _print(found)
    fine = {State.OPEN} if chosen.extra else {State.OPEN, State.MISSING}
    return FINISHED if {each.state for each in found} <= fine else FAILED


def _print(found: Sequence[Examined]) -> None:
    from strongroom.plugins.installed import EXTRAS, State
    from strongroom.terminal.reports.tables import Column, print_table

    okay, absent, wrong = ("✓", "–", "✗") if has_unicode() else ("ok", "-", "NO")
    signs = {State.OPEN: okay, State.MISSING: absent}
    rows = [
        [
            signs.get(each.state, wrong),
            each.name,
            EXTRAS[each.name].purpose,
            harmless(paste(_describe(each)), 400),
        ]
        for each in found
    ]
    found_or_how = Column("installed, or to install")
    print_table([Column(""), Column("extra"), Column("for", worth=1), found_or_how], rows)


def _describe(extra: Examined) -> str:
    from strongroom.plugins.installed import State

    if extra.state is State.OPEN:
        return ", ".join(f"{need.name} {need.installed}" for need in extra.needs)
    if extra.state is State.BROKEN:
        return f"{extra.trouble}; try: {extra.install}"
    if extra.state is State.MISSING:
        return extra.install
    wrong = [
        f"{need.name} {need.installed} is not {need.wanted}"
        for need in extra.needs
        if need.state is State.OUTSIDE
    ]
    return f"{', '.join(wrong)}; {extra.install}"


COMPLETION_HELP = """\
examples:
  source <(strongroom completion bash)      add this line to ~/.bashrc
  source <(strongroom completion zsh)       add this line to ~/.zshrc
  strongroom completion fish | source       add this line to config.fish
"""

BASH = """\
_strongroom_lines() {{
    # Words are taken as they are: a name is never read as shell.
    local each
    while IFS= read -r each; do
        [[ "$each" == "$1"* ]] && COMPREPLY+=("${{each#"$2"}}")
    done
}}
_strongroom_files() {{
    compopt -o filenames 2>/dev/null  # zsh does so by itself
    local IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$1"))
}}
_strongroom() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" words="" key=""
    COMPREPLY=()
    # Where KEY=VALUE is three words to the shell, the key stands further in front.
    if [ "$word" = "=" ]; then
        word="" key="$before=" before="${{COMP_WORDS[COMP_CWORD-2]}}"
    elif [ "$before" = "=" ]; then
        key="${{COMP_WORDS[COMP_CWORD-2]}}=" before="${{COMP_WORDS[COMP_CWORD-3]}}"
    fi
    case "$before" in
        --set)
            _strongroom_lines "$key$word" "$key" < <({options_of} "${{COMP_WORDS[2]}}")
            return ;;
{values}
    esac
    case "${{COMP_WORDS[1]}}" in
{options}
        *) words="{commands} --help --version" ;;
    esac
    [ "$COMP_CWORD" -eq 1 ] && words="{commands} --help --version"
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    case "${{COMP_WORDS[1]}}" in
        {saved})
            if [ "$COMP_CWORD" -gt 1 ] && [[ "$word" != -* ]]; then
                _strongroom_lines "$word" "" < <({files})
                _strongroom_files "$word"
            fi ;;
    esac
}}
complete -F _strongroom strongroom
"""

ZSH = "autoload -Uz compinit bashcompinit && compinit -C && bashcompinit\n"

FISH = """\
function __strongroom_games
    command -q strongroom; and {names}
end
function __strongroom_settings
    set -l words (commandline -opc)
    command -q strongroom; and {options_of} $words[3]
end
function __strongroom_files
    command -q strongroom; and {files}
end
"""

# Without strongroom or such a game, completion offers nothing and prints nothing.
NAMES = "strongroom games --names 2>/dev/null"
OPTIONS = "strongroom games 2>/dev/null --options"
FILES = "strongroom list --files 2>/dev/null"


def define_completion(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom completion`."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


def run_completion(chosen: argparse.Namespace) -> int:
    """Print the completion script."""
    print(script(chosen.shell, chosen.whole()), end="")
    return 0


def script(shell: str, whole: argparse.ArgumentParser) -> str:
    """The script that completes the commands, their options and the games' names in a shell."""
    commands = _commands(whole)
    if shell == "fish":
        return _fish(commands)
    values = []
    options = []
    for name, parser in commands.items():
        words = [f"$({NAMES})"] if _takes(parser, "game") else []
        for action in parser._actions:
            words += action.option_strings
            choices = _choices(action)
            if choices and action.option_strings:
                option, names = "|".join(action.option_strings), " ".join(choices)
                offered = f'COMPREPLY=($(compgen -W "{names}" -- "$word"))'
                values.append(f"        {option}) {offered}; return ;;")
            else:
                words += choices
        options.append(f'        {name}) words="{" ".join(words)}" ;;')
    values.append('        --save|--plot|--output) _strongroom_files "$word"; return ;;')
    bash = BASH.format(
        values="\n".join(dict.fromkeys(values)),
        options="\n".join(options),
        commands=" ".join(commands),
        saved="|".join(name for name, parser in commands.items() if _takes(parser, "file")),
        options_of=OPTIONS,
        files=FILES,
    )
    return ZSH + bash if shell == "zsh" else bash


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _takes(parser: argparse.ArgumentParser, argument: str) -> bool:
    return any(action.dest == argument for action in parser._actions)


def _choices(action: argparse.Action) -> list[str]:
    """The choices of an argument, except names that a shell could read as more than a word."""
    names = map(str, action.choices or ())
    return [name for name in names if name.isascii() and name.replace("-", "").isalnum()]


def _fish(commands: dict[str, argparse.ArgumentParser]) -> str:
    lines = [f"complete -c strongroom -f -n __fish_use_subcommand -a {name}" for name in commands]
    for name, parser in commands.items():
        seen = f"complete -c strongroom -n '__fish_seen_subcommand_from {name}'"
        if _takes(parser, "game"):
            lines.append(f"{seen} -f -a '(__strongroom_games)'")
        if _takes(parser, "file"):
            lines.append(f"{seen} -a '(__strongroom_files)'")
        for action in parser._actions:
            choices = f" -x -a '{' '.join(_choices(action))}'" if _choices(action) else ""
            if action.dest == "set":
                choices = " -x -a '(__strongroom_settings)'"
            elif action.metavar == "FILE":
                choices = " -r -F"
            for option in action.option_strings:
                if option.startswith("--"):
                    lines.append(f"{seen} -l {option[2:]}{choices}")
            if not action.option_strings and _choices(action):
                lines.append(f"{seen}{choices.replace(' -x', ' -f')}")
    functions = FISH.format(names=NAMES, options_of=OPTIONS, files=FILES)
    return functions + "\n".join(lines) + "\n"
