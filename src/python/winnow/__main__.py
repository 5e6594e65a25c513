# SPDX-License-Identifier: MIT
"""Runs the program: python -m winnow render scene.json"""

from .program import main

main()
