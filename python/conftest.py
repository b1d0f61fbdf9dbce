"""Modules whose packages are not installed are left out of the tests."""

import importlib.util

NEEDS = {"lusoria/openspiel.py": "pyspiel", "lusoria/ray.py": "ray"}

collect_ignore = [module for module, package in NEEDS.items() if importlib.util.find_spec(package) is None]
