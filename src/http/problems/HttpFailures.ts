import { Schema } from "effect"

/** Nothing is at this path. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {}

/** The path does not support the method; `allowed` are the supported ones. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  allowed: Schema.Array(Schema.String)
}) {}

/** The body exceeds `limit`, in KiB. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", { limit: Schema.Int }) {}

/** The body is not declared as uncompressed UTF-8 text of an accepted media type. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", {
  types: Schema.Array(Schema.String)
}) {}

/** A page of another site sent the request. */
export class CrossSite extends Schema.TaggedError<CrossSite>()("CrossSite", {}) {}

/** The message breaks the HTTP protocol. */
export class MalformedRequest extends Schema.TaggedError<MalformedRequest>()("MalformedRequest", {}) {}

/** The message did not arrive in time. */
export class RequestTimeout extends Schema.TaggedError<RequestTimeout>()("RequestTimeout", {}) {}

/** The headers exceed the limit. */
export class HeadersTooLarge extends Schema.TaggedError<HeadersTooLarge>()("HeadersTooLarge", {}) {}

/** The service cannot answer right now: its database is unreachable, or it is shutting down. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {}) {}

/** A bug in the service. */
export class Internal extends Schema.TaggedError<Internal>()("Internal", {}) {}

/** The service has reached its limit of open connections. */
export class TooManyConnections extends Schema.TaggedError<TooManyConnections>()("TooManyConnections", {}) {}
