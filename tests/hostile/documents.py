"""JSON documents as trees in which a key may stand twice and a value may be no JSON, and what can be done to them."""

import json
import re

HOSTILE_NUMBERS = ["0", "-0", "-1", "0.5", "1e308", "-1e308", "1e-308", "5e-324", "1e999", "NaN", "Infinity", "-Infinity",
                   "9223372036854775808", "18446744073709551616", "9007199254740993", "2147483648", "4294967295",
                   "1e9", "1e6", "1e18", "00", "0x10", "1.", ".5", "+1", "1e", "--1", "1_000", "1,5"]  # fmt: skip

# A surrogate of the range of `surrogateescape` becomes one byte that is no UTF-8.
HOSTILE_TEXTS = ["", " ", "\n", "\0", "\x1b]0;title\x07", "\x1b[31mred\x1b[0m", "\x9b31m", "\udcff\udcfe", "\ud800", "\ufeff",
                 "x'; touch PWNED; echo '", '"; touch PWNED; "', "$(touch PWNED)", "`touch PWNED`", "a\nb: c\n---\nkind: Evil",
                 "a\"b", "a\\", "*/", "]]>", "<script>alert(1)</script>", "&amp;", "{{ x }}", "%s%n", "=1+1", "@SUM(1)", "-2",
                 "../../x", "/etc/passwd", "C:\\x", "a/b", ".", "..", "~", "- x", "# x", "null", "true", "1e3", "0x1F", "1:30",
                 "\u202eevil", "\u0085", "\u2028", "交换机甲", "é", "😀", "x" * 100, "x" * 10_000, "x y", "a,b;c\td|e", "\r\n"]  # fmt: skip


class Members(list):
    """An object: pairs of key and value, in their order."""


class Raw(str):
    """Text that is written as it is."""


def read(text):
    return json.loads(text, object_pairs_hook=Members)


def written(node):
    if isinstance(node, Raw):
        return str(node)
    if isinstance(node, Members):
        return "{" + ", ".join(f"{written(key)}: {written(value)}" for key, value in node) + "}"
    if isinstance(node, list):
        return "[" + ", ".join(written(item) for item in node) + "]"
    return json.dumps(node, ensure_ascii=False)


def as_bytes(text):
    """Lone surrogates stay what they are: bytes that are no UTF-8."""
    return b"".join(bytes([ord(c) - 0xDC00]) if "\udc80" <= c <= "\udcff" else c.encode("utf-8", "surrogatepass")
                    for c in text) if any("\ud800" <= c <= "\udfff" for c in text) else text.encode()  # fmt: skip


def plain(node):
    """The tree as Python has it, the last of equal keys."""
    if isinstance(node, Members):
        return {key: plain(value) for key, value in node}
    return [plain(item) for item in node] if isinstance(node, list) else node


def copied(node):
    if isinstance(node, Members):
        return Members((key, copied(value)) for key, value in node)
    return [copied(item) for item in node] if isinstance(node, list) else node


def places(node, found=None):
    """Every value of the tree as (what holds it, its index, its key or None)."""
    found = [] if found is None else found
    if isinstance(node, list):
        for i, item in enumerate(node):
            key, value = item if isinstance(node, Members) else (None, item)
            found.append((node, i, key))
            places(value, found)
    return found


def value_at(place):
    holder, i, key = place
    return holder[i][1] if isinstance(holder, Members) else holder[i]


def put(place, value):
    holder, i, key = place
    holder[i] = (key, value) if isinstance(holder, Members) else value


class Pool:
    """Keys with the values that documents give them, so that one document can take what another says."""

    def __init__(self, documents):
        self.by_key = {}
        for document in documents:
            for place in places(document):
                if place[2] is not None:
                    self.by_key.setdefault(place[2], []).append(value_at(place))
        self.keys = sorted(self.by_key)

    def value(self, rng, key):
        return copied(rng.choice(self.by_key[key]))


NO_VALUES = [Raw("["), Raw("tru"), Raw('"\\ud800"'), Raw('"\\x"'), Raw("[" * 300 + "]" * 300), Raw("[" * 100_000),
             Raw('{"a":' * 5000 + "1" + "}" * 5000), "x" * 100_000, [0] * 1000, [[]], Members([("a", 1)])]  # fmt: skip


def near_number(rng, old):
    """One that the same field may well hold."""
    value = old * rng.choice([0.1, 0.5, 0.9, 1.1, 2, 3, 8, 10, 100, 1000])
    return round(value) if isinstance(old, int) else value


def hostile_value(rng, old=None):
    """Of the same type as `old` more often than of another, and more often near it than far."""
    way = rng.random()
    if isinstance(old, bool) or old is None:
        return not old if way < 0.7 else rng.choice([None, 0, "yes", Members(), []])
    if isinstance(old, (int, float)):
        if way < 0.65 and abs(old) < 1e300:
            return near_number(rng, old)
        return Raw(rng.choice(HOSTILE_NUMBERS[:20] if way < 0.9 else HOSTILE_NUMBERS))
    if isinstance(old, str) and way < 0.85:
        if len(old) > 200:
            return changed_lines(rng, old).decode("utf-8", "surrogateescape")
        hostile = rng.choice(HOSTILE_TEXTS)
        return hostile if rng.random() < 0.6 else old[: len(old) // 2] + hostile + old[len(old) // 2 :]
    return rng.choice([Raw(rng.choice(HOSTILE_NUMBERS)), rng.choice(HOSTILE_TEXTS), None, True, [], Members(), rng.choice(NO_VALUES)])


def change(rng, document, pool, extra=None):
    """One change somewhere in the tree. `extra` makes one that knows the kind of document."""
    everywhere = places(document)
    objects = [document] if isinstance(document, Members) else []
    objects += [value_at(p) for p in everywhere if isinstance(value_at(p), Members)]
    if not everywhere:
        return
    place = rng.choice(everywhere)
    holder, i, key = place
    old = value_at(place)
    way = rng.random()
    if way < 0.30:
        put(place, hostile_value(rng, old))
    elif way < 0.50 and key in pool.by_key:
        put(place, pool.value(rng, key))
    elif way < 0.60:
        del holder[i]
    elif way < 0.62:
        holder.append(copied(holder[i]) if isinstance(holder, Members) else copied(old))
    elif way < 0.65 and isinstance(holder, Members):
        holder[i] = (rng.choice([*HOSTILE_TEXTS, key + "_s", key.replace("_gb", "_gib"), key.upper(), key[:-1]]), old)
    elif way < 0.70:
        lists = [value_at(p) for p in everywhere if isinstance(value_at(p), list) and not isinstance(value_at(p), Members)]
        if lists and (chosen := rng.choice(lists)):
            chosen.extend(copied(rng.choice(chosen)) for _ in range(rng.choice([1, 10, 1000])))
    elif way < 0.73:
        key = rng.choice(pool.keys)
        rng.choice(objects).append((key, pool.value(rng, key))) if objects else None
    elif extra is not None:
        extra(rng, document)
    else:
        put(place, hostile_value(rng, old))


def changed(rng, document, pool, extra=None):
    """The document as bytes after one to four changes, rarely with bytes around or in it that do not belong there."""
    document = copied(document)
    for _ in range(rng.choice([1, 1, 1, 1, 2, 3])):
        change(rng, document, pool, extra)
    text = written(document)
    way = rng.random()
    if way < 0.015:
        text = text[: rng.randrange(len(text) + 1)]
    elif way < 0.03:
        text = rng.choice(["\ufeff", " " * 100_000, "//x\n", "\0", "{}", "[", "\udcff"]) + text
    elif way < 0.04:
        text += rng.choice(["x", "\0", "}", text, "\n" * 1000, "\udcff"])
    return as_bytes(text)


def changed_bytes(rng, data, texts=HOSTILE_TEXTS, numbers=HOSTILE_NUMBERS):
    """Bytes after one to four changes that know nothing of their format."""
    for _ in range(rng.choice([1, 1, 2, 3, 4])):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice([1, 1, 4, 8, 64, 1000]))
        way = rng.randrange(7)
        if way == 0:
            data = data[:at] + rng.choice([b"\xff", b"\0", b"\x80", rng.randbytes(8), b"\xff" * 8]) + data[end:]
        elif way == 1:
            data = data[:at] + data[end:]
        elif way == 2:
            data = data[:at] + data[at:end] * rng.choice([2, 3, 100]) + data[end:]
        elif way == 3:
            data = data[: rng.choice([at, at, max(1, len(data) // 2), len(data) - 1])]
        elif way == 4:
            data = data[:at] + as_bytes(rng.choice(texts)) + data[at:]
        elif way == 5:
            data = data[:at] + rng.choice(numbers).encode() + data[end:]
        else:
            data = bytes(b ^ (1 << rng.randrange(8)) if at <= i < at + 4 else b for i, b in enumerate(data))
    return data


def changed_lines(rng, text):
    """Lines of a log or table after changes of numbers, words and lines."""
    lines = text.split("\n")
    for _ in range(rng.choice([1, 1, 2, 3, 6])):
        at = rng.randrange(len(lines))
        way = rng.random()
        pattern = r"\d[\d.,]*" if way < 0.45 else r"[A-Za-z_][\w-]*"
        if way < 0.7:
            found = list(re.finditer(pattern, lines[at]))
            if found:
                word = rng.choice(found)
                new = rng.choice(HOSTILE_NUMBERS if way < 0.45 else HOSTILE_TEXTS)
                lines[at] = lines[at][: word.start()] + new + lines[at][word.end() :]
        elif way < 0.8 and len(lines) > 1:
            del lines[at]
        elif way < 0.9:
            lines[at : at + 1] = [lines[at]] * rng.choice([2, 3, 1000])
        else:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
    return as_bytes("\n".join(lines))
