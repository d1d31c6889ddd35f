"""What the Python package offers, read from its sources without importing it: the public names and where each is defined."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

STUB = "_stickslip"  # the compiled module, known by its stub
Definition = ast.ClassDef | ast.FunctionDef | ast.AnnAssign | ast.Assign


class Missing(LookupError):
    """A public name that is defined nowhere."""


@dataclass(frozen=True)
class Module:
    name: str
    tree: ast.Module

    @property
    def exported(self) -> list[str]:
        """__all__, or nothing."""
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                return [str(name) for name in ast.literal_eval(node.value)]
        return []

    @property
    def origins(self) -> dict[str, str]:
        """Names that come from another module of the package, and from which."""
        imports = [node for node in self.tree.body if isinstance(node, ast.ImportFrom) and node.level == 1]
        return {alias.name: node.module or alias.name for node in imports for alias in node.names}

    def define(self, name: str) -> Definition | None:
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
                return node
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name:
                return node
        return None


class Package:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def module(self, name: str) -> Module:
        file = self.folder / (f"{name}.pyi" if name == STUB else f"{name}.py")
        return Module(name, ast.parse(file.read_text()))

    def is_module(self, name: str) -> bool:
        return (self.folder / f"{name}.py").exists()

    def find(self, module: Module, name: str) -> Definition:
        """The definition of a name that a module exports, wherever it comes from."""
        home = module if name not in module.origins else self.module(module.origins[name])
        found = home.define(name)
        if found is None:
            raise Missing(f"{name}, exported by {module.name}, is not defined in {home.name}")
        return found

    def classes_named_in(self, nodes: list[Definition], known: set[str]) -> list[ast.ClassDef]:
        """Classes of the stub that these mention and that nothing exports: what properties and results are made of."""
        stub = self.module(STUB)
        words = {leaf.id for node in nodes for leaf in ast.walk(node) if isinstance(leaf, ast.Name)}
        classes = [node for node in stub.tree.body if isinstance(node, ast.ClassDef)]
        return [node for node in classes if node.name in words - known]
