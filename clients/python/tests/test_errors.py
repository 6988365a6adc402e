"""Errors as objects: what they say, and that they survive processes and copies."""

from __future__ import annotations

import copy
import pickle
import unittest

from outreach_forecast import (
    APIError,
    AuthenticationError,
    BadRequestError,
    InvalidResponseError,
    PermissionDeniedError,
    RateLimitError,
    UsageExhaustedError,
)

API_ERRORS: list[type[APIError]] = [
    APIError,
    BadRequestError,
    AuthenticationError,
    PermissionDeniedError,
    RateLimitError,
    UsageExhaustedError,
]


class Errors(unittest.TestCase):
    def test_survive_pickling_and_copying_with_everything(self) -> None:
        for kind in API_ERRORS:
            error = kind(
                429,
                "Wait.",
                code="a_code",
                request_id="request-1",
                errors=[{"pointer": "/a", "message": "is wrong", "code": "wrong_type"}],
                retryable=True,
                retry_after=1.5,
                body={"a": 1},
            )
            others: list[APIError] = [pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)]
            for other in others:
                self.assertIs(type(other), kind)
                self.assertEqual([vars(other), str(other), repr(other)], [vars(error), str(error), repr(error)])
        other = pickle.loads(pickle.dumps(InvalidResponseError("No.")))
        self.assertEqual([type(other), str(other)], [InvalidResponseError, "No."])

    def test_families_do_not_mix(self) -> None:
        # Whoever waits at a rate limit must not wait for credits, and a network failure is no answer.
        self.assertFalse(issubclass(UsageExhaustedError, RateLimitError))
        self.assertFalse(issubclass(InvalidResponseError, (APIError, OSError)))
        for kind in API_ERRORS:
            self.assertFalse(issubclass(kind, OSError))

    def test_say_what_to_do_and_what_to_tell_the_operator(self) -> None:
        error = RateLimitError(429, "Wait.", code="rate_limited", request_id="request-1")
        self.assertEqual(str(error), "Wait. (429 rate_limited, request request-1)")
        self.assertEqual(
            repr(error),
            "RateLimitError(status_code=429, code='rate_limited', message='Wait.', request_id='request-1')",
        )
        self.assertEqual(str(APIError(502, "No.")), "No. (502 without a code)")
