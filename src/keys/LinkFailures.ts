import { Schema } from "effect"

/** The service never created this link, or it is incomplete. */
export class LinkUnknown extends Schema.TaggedError<LinkUnknown>()("LinkUnknown", {}) {}

/** The link no longer works: it expired, a newer one replaced it, its secret is in use, or its key was revoked. */
export class LinkGone extends Schema.TaggedError<LinkGone>()("LinkGone", {
  reason: Schema.Literals(["expired", "replaced", "used", "revoked"])
}) {}
