"""For `make docs`: what the pages write that Markdown does not know: formulas, two-space lists.

A formula stands between dollars and is written as one reads it, `$V(Iₙ₊₁) = {a + b}/{2}$`; between
two dollars it has a line of its own. Browsers draw it, from MathML.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.blockprocessors import ListIndentProcessor, OListProcessor, UListProcessor
from markdown.inlinepatterns import InlineProcessor

FORMULA = r"(?<![\\\w$])(\$\$?)(?!\$)(.+?)\1(?![\w$])"
TOKEN = re.compile(r"[₀-₉ₐₑₖₙₚₜ₊₋]+|[⁰¹²³⁴-⁹ᵏⁿ⁺⁻′*]+|\d[\d,.]*(?<=\d)|[^\W\d_][a-z]+|[{}]|\S")
LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₐₑₖₙₚₜ₊₋", "0123456789aeknpt+−")
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹ᵏⁿ⁺⁻", "0123456789kn+−")


class Markup(Extension):
    """The formulas, and lists that nest by two spaces, as the rule books write them."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Add both to a reader of Markdown."""
        md.tab_length = 2
        lists = {"indent": (ListIndentProcessor, 90), "olist": (OListProcessor, 40)}
        for name, (kind, priority) in (lists | {"ulist": (UListProcessor, 30)}).items():
            md.parser.blockprocessors.register(kind(md.parser), name, priority)
        md.inlinePatterns.register(Formulas(FORMULA, md), "formula", 185)


class Formulas(InlineProcessor):
    """The formulas of a page."""

    def handleMatch(self, m: re.Match[str], data: str) -> Any:  # noqa: N802
        """Draw one."""
        drawn = mathml(m[2])
        drawn.set("display", "block" if m[1] == "$$" else "inline")
        return drawn, m.start(0), m.end(0)


def mathml(formula: str) -> Element:
    """A formula as MathML."""
    tokens = TOKEN.findall(formula.replace("$", ""))
    return _row(tokens, "math")


def _row(tokens: list[str], tag: str = "mrow") -> Element:
    row = Element(tag)
    while tokens and (token := tokens.pop(0)) != "}":
        last = row[-1] if len(row) else None
        if token == "/" and last is not None and last.tag == "mrow":
            row.remove(last)
            row.append(_with("mfrac", last, _atom(tokens.pop(0), tokens)))
        elif token[0] in "₀₁₂₃₄₅₆₇₈₉ₐₑₖₙₚₜ₊₋" and last is not None:
            row.remove(last)
            row.append(_with("msub", last, _script(token.translate(LOWERED))))
        elif token[0] in "⁰¹²³⁴⁵⁶⁷⁸⁹ᵏⁿ⁺⁻′*" and last is not None:
            row.remove(last)
            row.append(_with("msup", last, _script(token.translate(RAISED))))
        else:
            row.append(_atom(token, tokens))
    return row


def _atom(token: str, tokens: list[str]) -> Element:
    if token == "{":
        return _row(tokens)
    if token == "√":
        return _with("msqrt", _atom(tokens.pop(0), tokens))
    return _leaf("mn" if token[0].isdigit() else "mi" if token[0].isalpha() else "mo", token)


def _script(text: str) -> Element:
    return _row([*text])


def _leaf(tag: str, text: str) -> Element:
    leaf = Element(tag)
    leaf.text = {"Σ": "∑", "-": "−"}.get(text, text)
    if text == "Σ":
        leaf.tag = "mo"
    return leaf


def _with(tag: str, *parts: Element) -> Element:
    whole = Element(tag)
    whole.extend(parts)
    return whole


def on_config(config: Any) -> Any:
    """Let every page be read with this."""
    config["markdown_extensions"].append(Markup())
    return config
