"""A new certificate for 127.0.0.1."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import sys
import unittest
from pathlib import Path


def make_certificate(folder: str) -> tuple[Path, ssl.SSLContext]:
    """A certificate that is not trusted, and the server side of TLS with it. Skips the test without openssl."""
    openssl = shutil.which("openssl")
    if openssl is None:
        print("Skipped the tests of TLS: there is no openssl to make a certificate with.", file=sys.stderr)
        raise unittest.SkipTest("no openssl")
    certificate, key = Path(folder, "certificate.pem"), Path(folder, "key.pem")
    subprocess.run(
        [
            *(openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", "/CN=127.0.0.1"),
            *("-addext", "subjectAltName=IP:127.0.0.1"),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return certificate, context
