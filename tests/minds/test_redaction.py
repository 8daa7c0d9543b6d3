"""Secrets in foreign text: whatever software makes of a key, it is not kept and not shown."""

from __future__ import annotations

import base64
import html
import json
import textwrap
from collections.abc import Callable
from urllib.parse import quote, quote_plus, unquote

from hypothesis import given, settings
from hypothesis import strategies as st

from strongroom.minds.redaction import DEPTH, FRAGMENT, REDACTED, Redaction

KEY = "sk-Test/0123+4567_89.abCD"
REDACT = Redaction([KEY], ["models.example"])


def with_codes(form: str, text: str = KEY) -> str:
    return "".join(form.format(ord(char)) for char in text)


FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in capitals": str.upper,
    "its beginning": lambda key: key[:-4],
    "its end": lambda key: key[4:],
    "its middle": lambda key: key[4:-4],
    "JSON, one character": lambda key: key.replace("-", r"\u002d"),
    "JSON, all characters": lambda key: with_codes(r"\u{:04x}", key),
    "JSON, capital digits": lambda key: with_codes(r"\u{:04X}", key),
    "JSON, slashes": lambda key: key.replace("/", r"\/"),
    "JSON in JSON": lambda key: json.dumps(with_codes(r"\u{:04x}", key)),
    "JSON in JSON in JSON": lambda key: json.dumps(json.dumps(with_codes(r"\u{:04x}", key))),
    "JSON, its backslashes too": lambda key: with_codes(r"\u005cu{:04x}", key),
    "JavaScript": lambda key: with_codes(r"\x{:02x}", key),
    "JavaScript, in braces": lambda key: with_codes(r"\u{{{:x}}}", key),
    "C, octal": lambda key: with_codes("\\{:03o}", key),
    "Python, long": lambda key: with_codes("\\U{:08x}", key),
    "quoted-printable": lambda key: with_codes("={:02X}", key),
    "JavaScript's escape()": lambda key: with_codes("%u{:04x}", key),
    "Markdown": lambda key: "".join(c if c.isalnum() else f"\\{c}" for c in key),
    "an address": lambda key: quote(key, safe=""),
    "a form": quote_plus,
    "an address, all characters": lambda key: with_codes("%{:02X}", key),
    "an address in an address": lambda key: quote(with_codes("%{:02x}", key)),
    "an address in JSON": lambda key: json.dumps(with_codes("%{:02x}", key)),
    "HTML, decimal": lambda key: with_codes("&#{};", key),
    "HTML, hexadecimal": lambda key: with_codes("&#x{:X};", key),
    "HTML, long": lambda key: with_codes("&#00{};", key),
    "HTML, named": lambda key: key.replace("/", "&sol;").replace("_", "&lowbar;"),
    "HTML in HTML": lambda key: html.escape(with_codes("&#{};", key)),
    "HTML in JSON in an address": lambda key: quote(json.dumps(with_codes("&#{};", key))),
    "over lines": lambda key: "\n".join(textwrap.wrap(key, 4)),
    "over lines in JSON": lambda key: json.dumps("\n".join(textwrap.wrap(key, 4))),
    "with invisible characters": "\u200b".join,
    "with invisible characters in JSON": r"\u200b".join,
    "with invisible characters in HTML": "&#8203;".join,
    "with named invisible characters": "&ZeroWidthSpace;".join,
    "with invisible characters in an address": "%E2%80%8B".join,
    "HTML, without semicolons": lambda key: with_codes("&#{}", key),
    "hexadecimal": lambda key: key.encode().hex(),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 for addresses": lambda key: base64.urlsafe_b64encode(key.encode()).decode(),
    "base64 behind one character": lambda key: base64.b64encode(f":{key}".encode()).decode(),
    "base64 behind two": lambda key: base64.b64encode(f"u:{key}".encode()).decode(),
    "base64 in the middle": lambda key: base64.b64encode(f"me:{key};".encode()).decode(),
    "as deep as it is decoded": lambda key: f"%{'25' * (DEPTH - 1)}{ord(key[0]):x}{key[1:]}",
}


def readings(text: str) -> set[str]:
    """What a reader who decodes a text can find in it."""
    found = {text}
    for _ in range(4):
        for each in list(found):
            found |= {unquote(each), html.unescape(each)}
            try:
                found.add(str(json.loads(each)))
                found.add(str(json.loads(f'"{each}"')))
            except ValueError:
                pass
    plain = {each.replace("\n", "").replace("\u200b", "").replace("\\", "") for each in found}
    return {each.lower() for each in (*found, *plain)}


def test_a_key_is_redacted_in_whatever_form_it_comes() -> None:
    parts = {KEY[at : at + FRAGMENT].lower() for at in range(len(KEY) - FRAGMENT + 1)}
    missed = {}
    for name, form in FORMS.items():
        kept = REDACT(f"The key is {form(KEY)} here.")
        left = kept.replace("The key is ", "").replace(" here.", "").replace(REDACTED, "")
        found = any(part in reading for part in parts for reading in readings(kept))
        # What stays are quotation marks and, of base64, what the neighbours have a share in.
        if REDACTED not in kept or len(left) > 12 or found:
            missed[name] = kept
    assert not missed


def test_nothing_but_what_is_secret_is_taken_out_and_what_was_json_still_is() -> None:
    for name, form in FORMS.items():
        kept = REDACT(json.dumps({"thinking": f"My key is {form(KEY)}.", "move": "4"}))
        assert json.loads(kept)["move"] == "4", name
    for text in (
        "",
        "sk-Test stays, as do 4567_89 and models.exam",
        '{"thinking": "50 % of \\"4\\" & 5\\n\\u00e4 \\\\ %zz &what; &#1;", "move": "4"}',
        "\ud800\x1b[2J",
    ):
        assert REDACT(text) == text
    # A name is secret as a whole, and a placeholder is not.
    assert REDACT("http://MODELS%2Eexample/v1") == f"http://{REDACTED}/v1"
    assert Redaction(["1234567"], ["local"])("1234567 is local") == "1234567 is local"


def test_each_part_of_an_address_is_redacted() -> None:
    address = "http://somebody:pass-word@models.example/deployment-7/v1?tenant=42"
    parts = ("somebody", "pass-word", "models.example", "/deployment-7/v1", "tenant=42", KEY)
    basic = base64.b64encode(b"somebody:pass-word").decode()
    redact = Redaction.of(address, KEY)
    assert redact(" ".join((address, *parts))) == " ".join([REDACTED] * 7)
    assert redact(basic).startswith(f"{basic[:12]}{REDACTED}")


@settings(max_examples=30)
@given(st.text(), st.text())
def test_nothing_but_the_key_is_taken_out(before: str, after: str) -> None:
    kept = REDACT(f"{before} {KEY} {after}")
    assert KEY not in kept
    if REDACT(before) == before and REDACT(after) == after:
        assert kept == f"{before} {REDACTED} {after}"
