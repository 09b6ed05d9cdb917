"""The layering lint: which room may use which, read from cmake/rooms.txt."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re

TABLE = "cmake/rooms.txt"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def parse(text):
    """{room: rooms it may use}. Chains on one line do not see each other; see the table's own comment."""
    levels = []
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            joined = re.sub(r"\s*>\s*", ">", line)
            levels.append([chain.split(">") for chain in joined.split()])
    allowed, below = {}, set()
    for level in reversed(levels):
        for chain in level:
            for place, room in enumerate(chain):
                allowed[room] = below | set(chain[place + 1:]) | {room}
        below = below | {room for chain in level for room in chain}
    return allowed


def nested_room(parts):
    """Room of a path below lib/ or include/tessera/: the passes of a dialect are a room above the dialect."""
    return "Transforms" if parts[0] == "Dialect" and parts[2:3] == ["Transforms"] else parts[0]


def room_of(path):
    parts = path.split("/")
    if parts[0] == "tools":
        return "Tools"
    if parts[0] == "dialects":
        return "Dialect"
    if parts[0] == "lib" and len(parts) > 2:
        return nested_room(parts[1:])
    if parts[:2] == ["include", "tessera"] and len(parts) > 3:
        return nested_room(parts[2:])
    if parts[:2] == ["include", "tessera-c"]:
        return "CAPI"
    return None


def included_room(tree, name):
    parts = name.split("/")
    if parts[0] == "tessera" and len(parts) > 2:
        return nested_room(parts[1:])
    if parts[0] == "tessera-c":
        return "CAPI"
    if len(parts) > 1 and os.path.isdir(os.path.join(tree.root, "dialects", parts[0])):
        return "Dialect"
    return None


def library_rooms(tree):
    """{library: room}, from the leaf files."""
    found = {}
    for path in tree.match(r"^lib/.*CMakeLists\.txt$"):
        for name in re.findall(r"tessera_library\(\s*(\w+)", tree.text(path)):
            found[name] = room_of(path)
    return found


def check(tree):
    if TABLE not in tree.paths:
        yield "%s: the table of rooms is missing" % TABLE
        return
    allowed = parse(tree.text(TABLE))
    for path in tree.match(r"^(lib|tools|dialects|include)/.*\.(cpp|h|def)$"):
        room = room_of(path)
        if room is None:
            continue
        if room not in allowed:
            yield "%s: the room `%s` does not stand in %s" % (path, room, TABLE)
            continue
        for number, line in tree.lines(path):
            found = INCLUDE.match(line)
            used = included_room(tree, found[1]) if found else None
            if used and used not in allowed[room]:
                yield "%s:%d: `%s` includes `%s`; by %s it may use %s" % (
                    path, number, room, found[1], TABLE, ", ".join(sorted(allowed[room] - {room})) or "nothing")
    libraries = library_rooms(tree)
    for path in tree.match(r"^(lib|tools)/.*CMakeLists\.txt$"):
        room = room_of(path)
        for call in re.findall(r"tessera_(?:library|tool)\(([^()]*)\)", tree.text(path)):
            words = call.split()
            for word in words[1:]:
                used = libraries.get(word)
                if used and room in allowed and used not in allowed[room]:
                    yield "%s: `%s` links `%s` of the room `%s`, which lies above it in %s" % (
                        path, words[0], word, used, TABLE)
