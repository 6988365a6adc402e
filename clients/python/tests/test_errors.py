"""Errors as objects: their texts, and how they survive pickling and copying."""

from __future__ import annotations

import copy
import pickle
import unittest

from outreach_forecast import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    BadRequestError,
    InvalidArgumentError,
    InvalidResponseError,
    OutreachForecastError,
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
                headers={"a": "b"},
            )
            others: list[APIError] = [pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)]
            for other in others:
                self.assertIs(type(other), kind)
                self.assertEqual([vars(other), str(other), repr(other)], [vars(error), str(error), repr(error)])
        for plain in (InvalidResponseError("No."), InvalidArgumentError("No."), APIConnectionError("No.")):
            other = pickle.loads(pickle.dumps(plain))
            self.assertEqual([type(other), str(other)], [type(plain), "No."])

    def test_have_one_base_and_are_those_of_python_too(self) -> None:
        for kind in (APIError, InvalidResponseError, APIConnectionError, APITimeoutError, InvalidArgumentError):
            self.assertIn(OutreachForecastError, kind.__mro__)
        self.assertIn(ConnectionError, APIConnectionError.__mro__)
        self.assertIn(TimeoutError, APITimeoutError.__mro__)
        self.assertIn(ValueError, InvalidArgumentError.__mro__)

    def test_families_do_not_mix(self) -> None:
        # A program that waits for a rate limit must not wait for credits, and a network failure is not a response.
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
