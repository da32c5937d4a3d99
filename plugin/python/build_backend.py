# SPDX-License-Identifier: LGPL-2.1-or-later
"""Builds wheels of the Python package with CMake: the backend of pip (PEP 517), which needs the standard
library alone.

The program cmake, a compiler and the packages of .ci/packages.txt have to be installed. The environment
variable CMAKE_ARGS holds further arguments of CMake.
"""

import base64
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _version():
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"^ *VERSION ([0-9.]+)$", file.read(), re.MULTILINE).group(1)


def _metadata():
    return (
        f"Metadata-Version: 2.1\nName: halfdof\nVersion: {_version()}\nSummary: Exact elimination of degrees"
        " of freedom without inertia, and motion with friction and contact\nLicense:"
        " LGPL-2.1-or-later\nRequires-Python: >=3.11\nRequires-Dist: numpy\nRequires-Dist: scipy\n"
    )


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _wheel_file():
    return f"Wheel-Version: 1.0\nGenerator: halfdof\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _build(prefix):
    """Builds and installs the package, with the library beside its compiled part."""
    build = os.environ.get("HALFDOF_PYTHON_BUILD_DIR") or tempfile.mkdtemp(prefix="halfdof-python-")
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    options = [
        "WITH_TRILINOS=OFF",
        "BUILD_PROGRAM=OFF",
        "BUILD_TESTS=OFF",
        "BUILD_EXAMPLES=OFF",
        "WITH_PYTHON=ON",
    ]
    arguments = [f"-DHALFDOF_{option}" for option in options]
    arguments += [
        "-DHALFDOF_UNITY_BUILD=ON",
        f"-DPython_EXECUTABLE={sys.executable}",
        f"-DCMAKE_INSTALL_PREFIX={prefix}",
    ]
    arguments += [
        "-DCMAKE_INSTALL_LIBDIR=halfdof",
        "-DHALFDOF_PYTHON_DIR=.",
        *shlex.split(os.environ.get("CMAKE_ARGS", "")),
    ]
    subprocess.run(["cmake", *generator, "-S", SOURCE, "-B", build, *arguments], check=True)
    subprocess.run(
        ["cmake", "--build", build, "--target", "halfdof_python", "--parallel", str(os.cpu_count())],
        check=True,
    )
    for component in ("libraries", "python"):
        subprocess.run(["cmake", "--install", build, "--component", component], check=True)
    if "HALFDOF_PYTHON_BUILD_DIR" not in os.environ:
        shutil.rmtree(build)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = f"halfdof-{_version()}.dist-info"
    os.mkdir(os.path.join(metadata_directory, info))
    for name, text in (("METADATA", _metadata()), ("WHEEL", _wheel_file())):
        with open(os.path.join(metadata_directory, info, name), "w", encoding="utf-8") as file:
            file.write(text)
    return info


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"halfdof-{_version()}.dist-info"
    name = f"halfdof-{_version()}-{_tag()}.whl"
    with tempfile.TemporaryDirectory() as prefix:
        _build(prefix)
        files = {}
        for folder, _, names in os.walk(os.path.join(prefix, "halfdof")):
            # A wheel has no links: of a library and the link that programs load, it has the file with the
            # name of the link.
            linked = {
                os.readlink(os.path.join(folder, file))
                for file in names
                if os.path.islink(os.path.join(folder, file))
            }
            for file in set(names) - linked:
                path = os.path.join(folder, file)
                with open(path, "rb") as content:
                    files[os.path.relpath(path, prefix)] = content.read()
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = _wheel_file().encode()
    record = ""
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in sorted(files.items()):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(content)}\n"
            wheel.writestr(path, content)
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"halfdof-{_version()}"
    listed = subprocess.run(
        ["git", "ls-files"], cwd=SOURCE, check=True, capture_output=True, text=True
    ).stdout.split("\n")
    with tarfile.open(os.path.join(sdist_directory, f"{name}.tar.gz"), "w:gz") as archive:
        for path in filter(None, listed):
            archive.add(os.path.join(SOURCE, path), f"{name}/{path}")
        with tempfile.NamedTemporaryFile("w", suffix="PKG-INFO") as metadata:
            metadata.write(_metadata())
            metadata.flush()
            archive.add(metadata.name, f"{name}/PKG-INFO")
    return f"{name}.tar.gz"
