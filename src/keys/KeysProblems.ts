import { KeyId, KeyRevoked, PlanInactive } from "../KeyStatus.ts"
import {
  DemoKeyProtected,
  InvalidKey,
  LinkGone,
  LinkUnknown,
  MissingKey,
  SubKeyRefused,
  TooManyKeyRequests,
  TooManyWrongKeys
} from "./KeyFailures.ts"
import { requestRateOf, retryAfter, wwwAuthenticate } from "../http/ResponseHeaders.ts"
import { counted } from "../text/Figures.ts"
import { problem } from "../http/problems/problem.ts"

/** The reasons why a link no longer reveals a key. */
const whyLinkIsGone: { readonly [reason in LinkGone["reason"]]: string } = {
  expired: "This link is older than 24 hours.",
  replaced: "A newer link was sent after this one.",
  used: "The key that this link showed is in use.",
  revoked: "The key of this link was revoked."
}

/** Failures of keys and of the links that reveal them. */
export const KeyProblem = {
  MissingKey: problem(MissingKey, {
    status: 401,
    code: "missing_key",
    title: "Missing API key",
    detail: "Send your API key in the x-api-key header; a bearer token in the Authorization header is not read.",
    headers: wwwAuthenticate.of(),
    explanation: {
      when: "The request has no `x-api-key` header, or an empty one.",
      why: "Forecasts are metered by key. There are no bearer tokens: a key in an `Authorization` header is ignored.",
      whatToDo: "Send the key in the `x-api-key` header. [How to get one](credits.md#a-key-of-your-own).",
      remedy: "send a valid key"
    },
    example: new MissingKey()
  }),
  InvalidKey: problem(InvalidKey, {
    status: 401,
    code: "invalid_key",
    title: "Invalid API key",
    detail: "This API key is unknown here. Check that it is complete and belongs to this environment.",
    headers: wwwAuthenticate.of(),
    explanation: {
      when: "The service does not recognize the key.",
      why: "It was cut off or mistyped, was replaced by a newer one, or belongs to another environment: keys start with `ofk_live_` in production and with `ofk_test_` elsewhere, and the demo key is not accepted in production.",
      whatToDo: "Copy the whole key again. If it is lost, request an email with a link that replaces it.",
      remedy: "send a valid key"
    },
    example: new InvalidKey()
  }),
  KeyRevoked: problem(KeyRevoked, {
    status: 401,
    code: "key_revoked",
    title: "API key revoked",
    detail: "This API key has been revoked and no longer works. Use another key.",
    headers: wwwAuthenticate.of(),
    explanation: {
      when: "The key was revoked.",
      why: "Its owner or the operator revoked it, permanently.",
      whatToDo: "Use another key. If you did not revoke it, ask the operator.",
      remedy: "send a valid key"
    },
    example: new KeyRevoked({ prefix: "ofk_live_4fQz81Lk" })
  }),
  PlanInactive: problem(PlanInactive, {
    status: 403,
    code: "plan_inactive",
    title: "API plan inactive",
    detail: "This API key's plan is inactive. Ask the operator of the service to activate it.",
    explanation: {
      when: "The key is valid, but its plan is inactive.",
      why: "The operator deactivated it. The credits stay on the key.",
      whatToDo: "Ask the operator to activate the plan. The key works again from the next request on.",
      remedy: "ask the operator to activate the key's plan"
    },
    example: new PlanInactive({ keyId: KeyId.make("key_3kTq0VbW9sXhY2Lm"), prefix: "ofk_live_4fQz81Lk" })
  }),
  DemoKeyProtected: problem(DemoKeyProtected, {
    status: 403,
    code: "demo_key",
    title: "Demo key",
    detail:
      "The demo key is shared by everyone: it cannot be replaced or revoked, and has no sub-keys. Use a key of your own.",
    explanation: {
      when: "The demo key was used to order credits, for sub-keys, or to replace or revoke itself.",
      why: "The demo key is public. Anyone could use credits bought for it, and replacing or revoking it would take it away from everyone.",
      whatToDo: "Use a key of your own. An order also works without a key, with `name`, `email` and `company`.",
      remedy: "use a key of your own"
    },
    example: new DemoKeyProtected()
  }),
  SubKeyRefused: problem(SubKeyRefused, {
    status: 403,
    code: "sub_key",
    title: "Sub-key",
    detail: "A sub-key cannot do this. Send the key that it belongs to.",
    explanation: {
      when: "A [sub-key](sub-keys.md) was sent for something other than forecasts, its own usage or its own revocation.",
      why: "Sub-keys are for programs and colleagues: the ledger, orders, rotation and the sub-keys themselves are for the holder of the key.",
      whatToDo: "Send the key that the sub-key belongs to, or ask its holder.",
      remedy: "send the key that the sub-key belongs to"
    },
    example: new SubKeyRefused()
  }),
  TooManyWrongKeys: problem(TooManyWrongKeys, {
    status: 429,
    code: "rate_limited",
    title: "Rate limited",
    retryable: true,
    detail: ({ retryAfter }) =>
      `Too many unknown keys came from your address. Check your key, and try again in ${counted(retryAfter, "second")}.`,
    headers: (failure) => retryAfter.of(failure.retryAfter),
    example: new TooManyWrongKeys({ retryAfter: 1 })
  }),
  TooManyKeyRequests: problem(TooManyKeyRequests, {
    status: 429,
    code: "rate_limited",
    title: "Rate limited",
    retryable: true,
    detail: ({ limit, retryAfter }) =>
      `This key may send ${counted(limit, "request")} per second. Try again in ${counted(retryAfter, "second")}.`,
    headers: ({ limit, retryAfter: seconds }) => ({ ...retryAfter.of(seconds), ...requestRateOf(limit, seconds) }),
    example: new TooManyKeyRequests({ limit: 1000, retryAfter: 1 })
  }),
  LinkUnknown: problem(LinkUnknown, {
    status: 404,
    code: "link_unknown",
    title: "Link unknown",
    detail: "We don't recognize this link. Check that it is complete, or request a new email.",
    explanation: {
      when: "The service does not recognize the token of a confirmation link.",
      why: "An email program cut the link short, or the token is not from an email sent by this service.",
      whatToDo: "Copy the whole link from the email, or request a new email.",
      remedy: "request a new email"
    },
    example: new LinkUnknown()
  }),
  LinkGone: problem(LinkGone, {
    status: 410,
    code: "link_gone",
    title: "Link gone",
    detail: ({ reason }) => `${whyLinkIsGone[reason]} Request a new email.`,
    explanation: {
      when: "A confirmation link no longer shows keys.",
      why: "It is older than 24 hours, a newer link was sent, its key is already in use, or its key was revoked. `message` says which.",
      whatToDo: "Request a new email. A key that is in use keeps working.",
      remedy: "request a new email"
    },
    example: new LinkGone({ reason: "expired" })
  })
}
