"""Tetrad's library, for the benches that run it: fetched once from Maven Central and checked."""

import hashlib
import shutil
import urllib.request

JAR = "tetrad-lib-7.6.5-shaded.jar"
JAR_URL = f"https://repo1.maven.org/maven2/io/github/cmu-phil/tetrad-lib/7.6.5/{JAR}"
JAR_SHA256 = "895e30f98f2009feb308922a33a63d2d2bb962f8e0a3d28ebbca8ac7962339d4"


def fetched_tetrad(file):
    """`file`, fetched if it is not there; None without Java."""
    if not shutil.which("java"):
        return None
    if not file.exists():
        print(f"fetching {JAR_URL}", flush=True)
        part = file.with_suffix(".part")
        urllib.request.urlretrieve(JAR_URL, part)
        part.rename(file)
    if hashlib.sha256(file.read_bytes()).hexdigest() != JAR_SHA256:
        raise SystemExit(f"{file} is not the Tetrad that these figures are for; delete it to fetch it again")
    return file
