"""Blocks are objects, the eviction order is a ring through them, keys are sha256 strings.

Duplicates carry the key in both calls; allocate registers after it has taken everything.
"""

import hashlib


class OutOfBlocks(Exception):
    pass


class Room:
    __slots__ = ("no", "guests", "key", "left", "right")

    def __init__(self, no):
        self.no = no
        self.guests = 0
        self.key = ""
        self.left = self.right = self

    def unlink(self):
        self.left.right, self.right.left = self.right, self.left
        self.left = self.right = self

    @property
    def linked(self):
        return self.right is not self


class Ring:
    """A ring with a head that is no room: the oldest is right of the head, the newest left of it."""

    def __init__(self):
        self.head = Room(-1)
        self.size = 0

    def add_newest(self, room):
        room.left, room.right = self.head.left, self.head
        self.head.left.right = room
        self.head.left = room
        self.size += 1

    def remove(self, room):
        room.unlink()
        self.size -= 1

    def pop_oldest(self):
        room = self.head.right
        self.remove(room)
        return room


class Group:
    def __init__(self, rooms, people, keys, found):
        self.rooms = rooms
        self.people = people
        self.keys = keys
        self.found = found


def label(before, tokens):
    text = before + "|" + ",".join(str(t) for t in tokens)
    return hashlib.sha256(text.encode()).hexdigest()


class BlockManager:
    def __init__(self, num_blocks, block_size, enable_prefix_cache=True):
        self._beds = block_size
        self._caching = enable_prefix_cache
        self._empty = Ring()
        self._waiting = Ring()
        self._catalogue = {}
        self._groups = {}
        for no in range(num_blocks):
            self._empty.add_newest(Room(no))

    @property
    def num_free_blocks(self):
        return self._empty.size + self._waiting.size

    def can_allocate(self, num_tokens):
        return (num_tokens + self._beds - 1) // self._beds <= self.num_free_blocks

    def _next_room(self):
        if self._empty.size:
            room = self._empty.pop_oldest()
        elif self._waiting.size:
            room = self._waiting.pop_oldest()
            if self._catalogue.get(room.key) is room:
                del self._catalogue[room.key]
            room.key = ""
        else:
            raise OutOfBlocks("the house is full")
        room.guests = 1
        return room

    def _hang_label(self, room, key):
        room.key = key
        self._catalogue.setdefault(key, room)

    def allocate(self, seq_id, token_ids):
        beds = self._beds
        keys = []
        if self._caching:
            key = ""
            for start in range(0, len(token_ids) - beds + 1, beds):
                key = label(key, token_ids[start : start + beds])
                keys.append(key)
        found = []
        for key in keys[: (len(token_ids) - 1) // beds]:
            room = self._catalogue.get(key)
            if room is None:
                break
            found.append(room)
        wanted = -(-len(token_ids) // beds) - len(found)
        if wanted > self.num_free_blocks - sum(1 for room in found if room.guests == 0):
            raise OutOfBlocks(f"{wanted} more rooms are needed")
        for room in found:
            if room.guests == 0:
                self._waiting.remove(room)
            room.guests += 1
        rooms = found + [self._next_room() for _ in range(wanted)]
        for room, key in list(zip(rooms, keys))[len(found) :]:
            self._hang_label(room, key)
        self._groups[seq_id] = Group(rooms, list(token_ids), keys, len(found) * beds)
        return [room.no for room in rooms]

    def append_slot(self, seq_id, token_id):
        group = self._groups[seq_id]
        where, bed = divmod(len(group.people), self._beds)
        if where == len(group.rooms):
            group.rooms.append(self._next_room())
        group.people.append(token_id)
        room = group.rooms[where]
        if self._caching and bed == self._beds - 1:
            key = label(group.keys[-1] if group.keys else "", group.people[-self._beds :])
            group.keys.append(key)
            self._hang_label(room, key)
        return room.no * self._beds + bed

    def slot(self, seq_id, pos):
        where, bed = divmod(pos, self._beds)
        return self._groups[seq_id].rooms[where].no * self._beds + bed

    def num_cached_tokens(self, seq_id):
        return self._groups[seq_id].found

    def free(self, seq_id):
        group = self._groups.pop(seq_id)
        while group.rooms:
            room = group.rooms.pop()
            room.guests -= 1
            if room.guests == 0:
                (self._waiting if room.key else self._empty).add_newest(room)
