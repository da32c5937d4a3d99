# SPDX-License-Identifier: LGPL-2.1-or-later
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
