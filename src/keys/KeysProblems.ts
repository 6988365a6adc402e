import { KeyId } from "../KeyId.ts"
import { DemoKeyProtected, InvalidKey, KeyRevoked, MissingKey, PlanInactive } from "./KeyFailures.ts"
import { LinkGone, LinkUnknown } from "./LinkFailures.ts"
import { wwwAuthenticate } from "../http/ResponseHeaders.ts"
import { problem } from "../http/problems/problem.ts"

/** Why a link no longer reveals a key. */
export const whyLinkIsGone: { readonly [reason in LinkGone["reason"]]: string } = {
  expired: "This link is older than 24 hours.",
  replaced: "A newer link was sent after this one.",
  used: "The key that this link has shown is in use.",
  revoked: "The key of this link was revoked."
}

/** Failures of keys and of the links that reveal them. */
export const keyProblems = {
  MissingKey: problem(MissingKey, {
    status: 401,
    code: "missing_key",
    title: "Missing API key",
    retryable: false,
    detail: "Send your API key in the x-api-key header.",
    headers: wwwAuthenticate.of(),
    example: new MissingKey()
  }),
  InvalidKey: problem(InvalidKey, {
    status: 401,
    code: "invalid_key",
    title: "Invalid API key",
    retryable: false,
    detail: "This API key is not known here. Check that it is complete and belongs to this environment.",
    headers: wwwAuthenticate.of(),
    example: new InvalidKey()
  }),
  KeyRevoked: problem(KeyRevoked, {
    status: 401,
    code: "key_revoked",
    title: "API key revoked",
    retryable: false,
    detail: "This API key has been revoked and no longer works. Use another key.",
    headers: wwwAuthenticate.of(),
    example: new KeyRevoked({ prefix: "ofk_live_4fQz81Lk" })
  }),
  PlanInactive: problem(PlanInactive, {
    status: 403,
    code: "plan_inactive",
    title: "API plan inactive",
    retryable: false,
    detail: "This API key's plan is inactive. Ask the operator of the service to activate it.",
    example: new PlanInactive({ keyId: KeyId.make("key_3kTq0VbW9sXhY2Lm"), prefix: "ofk_live_4fQz81Lk" })
  }),
  DemoKeyProtected: problem(DemoKeyProtected, {
    status: 403,
    code: "demo_key",
    title: "Demo key",
    retryable: false,
    detail: "The demo key is shared by everyone and cannot be replaced or revoked. Use a key of your own.",
    example: new DemoKeyProtected()
  }),
  LinkUnknown: problem(LinkUnknown, {
    status: 404,
    code: "link_unknown",
    title: "Link unknown",
    retryable: false,
    detail: "We don't recognise this link. Check that it is complete, or ask for a new email.",
    example: new LinkUnknown()
  }),
  LinkGone: problem(LinkGone, {
    status: 410,
    code: "link_gone",
    title: "Link gone",
    retryable: false,
    detail: ({ reason }) => `${whyLinkIsGone[reason]} Ask for a new email.`,
    example: new LinkGone({ reason: "expired" })
  })
}
