"""Recordings. They have no codes: words of the sentence are expected. Damage inside an HDF5 file is the matter of test_recording_damage.py."""

from __future__ import annotations

from corpus.case import Case

MAGIC = b"\x89HDF\r\n\x1a\n"
CASES = [
    Case("empty.h5", b"", "is empty"),
    Case("a-folder.h5", None, "is a folder"),
    Case("words.h5", b"bodies: []\n", "not an HDF5 file"),
    Case("magic-alone.h5", MAGIC, "cannot open it"),
    Case("magic-and-zeros.h5", MAGIC + bytes(4096), "cannot open it"),
    Case("magic-and-noise.h5", MAGIC + bytes(range(256)) * 64, "cannot open it"),
    Case("text.hdf5", b"\0" * 1000, "not an HDF5 file"),
    Case("empty.h5.journal", b"", "before anything was recorded"),
    Case("words.h5.journal", b"not a journal at all\n" * 10, "not the journal"),
    Case("magic-alone.h5.journal", b"stickslip-journal-1\n", "killed before anything"),
    Case("block-lies.h5.journal", b"stickslip-journal-1\n" + b"\xff" * 16 + b"H" * 100, "killed before anything"),
    Case("block-of-an-exabyte.h5.journal", b"stickslip-journal-1\n" + (1 << 60).to_bytes(8, "little") + bytes(8), "killed before anything"),
]
