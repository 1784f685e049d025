"""How l22's ops become calls of a learner's KVCacheManager.

Sent into the sandbox as text; also run by the judge itself on the classic mistakes. Standard library and torch, no
import of the project. ``Refusal`` (an op that cannot be asked), ``Attachment``, ``Odd`` and ``lacking`` are put in by
whoever runs it.
"""

from __future__ import annotations

import ctypes
from collections import deque
from typing import Any

Refusal: type[Exception]
Attachment: Any
Odd: Any
lacking: Any

METHODS = ("allocate_for_prefill", "allocate_for_decode", "get_physical_cache")
LARGEST = 8 << 20


def missing(module: Any) -> dict[str, str] | None:
    """What the file lacks before anything can be built, or None. A file without Request is whole."""
    lacks: dict[str, str] | None = lacking(
        module, "KVCacheManager", METHODS, {"num_blocks": 2, "block_size": 2, "head_dim": 2}
    )
    return lacks


class Request:
    """The grader's own request: what the contract says of one, and nothing else."""

    def __init__(self, request_id: int, seq_len: int, block_table: list[int]) -> None:
        self.request_id, self.seq_len, self.block_table = request_id, seq_len, block_table


class Session:
    """One manager, the requests that were handed to it, and the ops. ``calls`` maps an op's name to a function.

    ``blob`` is the data that ``fill`` copies into the cache. A request whose prefill or decode was refused can still be
    looked at (``table``, ``seq_len``), but not decoded or gathered: the contract does not say how it goes on.
    """

    def __init__(self, module: Any, params: dict[str, int]) -> None:
        self.blob = b""
        self.num_blocks, self.block_size = params["num_blocks"], params["block_size"]
        self.head_dim = params["head_dim"]
        self.manager = module.KVCacheManager(
            num_blocks=self.num_blocks, block_size=self.block_size, head_dim=self.head_dim
        )
        self.requests: dict[Any, Request] = {}
        self.live: set[Any] = set()
        self.calls = {
            "prefill": self.prefill,
            "request": self.request,
            "decode": self.decode,
            "gather": self.gather,
            "free_blocks": lambda: _ids(self.manager.free_blocks, (list, tuple, deque)),
            "table": lambda name: _ids(self._known(name).block_table, (list,)),
            "seq_len": lambda name: self._known(name).seq_len,
            "cache": lambda: _attach(self._cache()),
            "fill": self.fill,
        }

    def refused(self, error: BaseException) -> bool:
        try:
            return RuntimeError in type.mro(type(error)) and "OOM" in str(error)
        except BaseException:
            return False

    def prefill(self, name: Any, seq_len: int) -> Any:
        if name in self.live or seq_len < 1:
            raise Refusal
        result = self.manager.allocate_for_prefill(self._new(name, seq_len, []))
        self.live.add(name)
        return result

    def request(self, name: Any, seq_len: int, block_table: list[int]) -> None:
        """A request that the grader made itself, with a table of its choice, as long as it needs. No call."""
        unused = len(block_table) * self.block_size - seq_len
        known = all(0 <= block < self.num_blocks for block in block_table)
        if name in self.live or not 0 <= unused < self.block_size or not known:
            raise Refusal
        self._new(name, seq_len, block_table)
        self.live.add(name)

    def decode(self, name: Any) -> Any:
        self._must_live(name)
        self.live.remove(name)
        result = self.manager.allocate_for_decode(self.requests[name])
        self.live.add(name)
        return result

    def gather(self, name: Any) -> Any:
        self._must_live(name)
        return _attach(self.manager.get_physical_cache(self.requests[name]))

    def fill(self) -> Any:
        """Overwrite the cache in place, as bytes; what stood there before is returned.

        ``blob`` has four bytes for each element; a wider dtype reads it twice.
        """
        import torch

        cache = self._cache()
        before = _attach(cache)
        shape = (self.num_blocks, self.block_size, self.head_dim)
        if isinstance(cache, torch.Tensor) and cache.device.type == "cpu" and tuple(cache.shape) == shape:
            data = bytearray((self.blob * 2)[: cache.numel() * cache.element_size()])
            with torch.inference_mode():
                cache.copy_(torch.frombuffer(data, dtype=cache.dtype).reshape(cache.shape))
        return before

    def view(self, kind: str) -> dict[str, Any] | None:
        """After an op: the pool and every request, None where they cannot be read. The same for every ``kind``."""
        try:
            return {
                "free_blocks": _small(_ids(self.manager.free_blocks, (list, tuple, deque))),
                "requests": [
                    [name, *_small([req.seq_len]), _small(_ids(req.block_table, (list,)))]
                    for name, req in self.requests.items()
                ],
            }
        except BaseException:
            return None

    def _new(self, name: Any, seq_len: int, block_table: list[int]) -> Request:
        self.requests[name] = Request(len(self.requests), seq_len, block_table)
        return self.requests[name]

    def _known(self, name: Any) -> Request:
        if name not in self.requests:
            raise Refusal
        return self.requests[name]

    def _must_live(self, name: Any) -> None:
        if name not in self.live:
            raise Refusal

    def _cache(self) -> Any:
        """The cache itself; a Parameter or the like as the plain tensor over the same memory."""
        import torch

        cache = self.manager.physical_kv_cache
        return cache.detach().as_subclass(torch.Tensor) if isinstance(cache, torch.Tensor) else cache


def _ids(value: Any, kinds: tuple[type[Any], ...]) -> Any:
    """A list of what a list-like holds; anything else as it is, to be named as odd."""
    return list(value) if isinstance(value, kinds) else value


def _small(value: Any) -> list[int]:
    if type(value) is not list or not all(type(item) is int and abs(item) < 2**53 for item in value):
        raise TypeError
    return value


def _attach(tensor: Any) -> Any:
    """A tensor as its dtype, shape and bytes; a view or a tensor with a gradient is as good as any."""
    import torch

    if type(tensor) is not torch.Tensor:
        return tensor
    if tensor.layout is not torch.strided or tensor.is_nested or tensor.is_quantized:
        return Odd("torch.Tensor", "that is not dense")
    if tensor.device.type != "cpu":
        return Odd("torch.Tensor", f"on the device {tensor.device}, while the cache is on the CPU")
    size = tensor.numel() * tensor.element_size()
    if size > LARGEST:
        return Odd("torch.Tensor", f"of shape {list(tensor.shape)}")
    flat = tensor.detach().resolve_conj().resolve_neg().contiguous()
    data = ctypes.string_at(flat.data_ptr(), size) if size else b""
    return Attachment(str(tensor.dtype).partition(".")[2], list(tensor.shape), data)
