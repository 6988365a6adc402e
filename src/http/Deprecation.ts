import { HttpApiMiddleware } from "effect/http-api"

/** Marks every response of an endpoint, including refusals, as deprecated. */
export class Deprecation extends HttpApiMiddleware.Service<Deprecation>()("outreach-forecast/http/Deprecation") {}
