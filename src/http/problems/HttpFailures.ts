import { Schema } from "effect"

/** Nothing is at this path. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {}

/** The path does not know the method; `allowed` are those that it knows. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  allowed: Schema.Array(Schema.String)
}) {}

/** The body is larger than the service reads; `limit` is in KiB. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", { limit: Schema.Int }) {}

/** The body is not declared to be plain UTF-8 text of one of the media types that are read here. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", {
  types: Schema.Array(Schema.String)
}) {}

/** A page of another site sent the request. */
export class CrossSite extends Schema.TaggedError<CrossSite>()("CrossSite", {}) {}

/** The message breaks the HTTP protocol. */
export class MalformedRequest extends Schema.TaggedError<MalformedRequest>()("MalformedRequest", {}) {}

/** The message did not arrive in time. */
export class RequestTimeout extends Schema.TaggedError<RequestTimeout>()("RequestTimeout", {}) {}

/** The headers are larger than the service reads. */
export class HeadersTooLarge extends Schema.TaggedError<HeadersTooLarge>()("HeadersTooLarge", {}) {}

/** The service cannot answer for now: its database is out of reach, or it is about to stop. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {}) {}

/** A fault of the service itself. */
export class Internal extends Schema.TaggedError<Internal>()("Internal", {}) {}

/** Too many requests of one kind in a time; `retryAfter` is in seconds. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", { retryAfter: Schema.Int }) {}

/** More requests wait than can be answered in good time; nothing was begun. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {}) {}

/** More connections are open than the service serves at a time. */
export class TooManyConnections extends Schema.TaggedError<TooManyConnections>()("TooManyConnections", {}) {}
