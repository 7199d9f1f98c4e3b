"""A proof of agon under the eyes of tools/check_proof.py, which shares no line with it.

  tests/python/proof_test.py build/agon
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHECKER = ROOT / "tools" / "check_proof.py"


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)


def check(proof, table):
    return run(sys.executable, "-B", CHECKER, proof, table)


def main():
    agon = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, rows in [("asia", 400), ("lucas", 200), ("child", 200)]:
            table, out = folder / f"{name}.csv", folder / name
            assert run(agon, "sample", name, "-n", rows, "-o", table, "--quiet").returncode == 0
            found = run(agon, "discover", table, "--bootstrap", 0, "--moves", 2000, "--score", "discrete-bic", "--out", out, "--quiet")
            assert found.returncode == 0, found.stderr
            proof = out / "proof.txt"
            verdict = check(proof, table)
            assert verdict.returncode == 0 and "proven" in verdict.stdout, (name, verdict)
            verified = run(agon, "verify", out, table)
            assert verified.returncode == 0 and "certificate.optimum" in verified.stdout, verified.stdout

            # Without multipliers the bound is worse.
            text = proof.read_text()
            if "\nm " in text:
                weaker = re.sub(r"\nm (\d+) \d+", lambda m: f"\nm {m[1]} 0", text)
                proof.write_text(weaker)
                verdict = check(proof, table)
                assert verdict.returncode == 0 and "gap" in verdict.stdout, (name, verdict)
                assert run(agon, "verify", out, table).returncode == 1  # the sum does not fit
            # Another answer than the one that was proven.
            proof.write_text(re.sub(r"graph 0:[\d,]*;", "graph 0:0;", text))
            assert check(proof, table).returncode == 1
    print("all proofs hold, and damaged ones do not")


if __name__ == "__main__":
    main()
