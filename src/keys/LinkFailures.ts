import { Schema } from "effect"

/** The link is not one of ours, or not whole. */
export class LinkUnknown extends Schema.TaggedError<LinkUnknown>()("LinkUnknown", {}) {}

/** The link was one of ours and does not reveal any more: too old, followed by a newer one, or its key is in use. */
export class LinkGone extends Schema.TaggedError<LinkGone>()("LinkGone", {
  reason: Schema.Literals(["expired", "replaced", "used", "revoked"])
}) {}
