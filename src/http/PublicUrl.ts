import { Context } from "effect"

/** The base of links in responses and emails, without a trailing slash. */
export class PublicUrl extends Context.Service<PublicUrl, string>()("outreach-forecast/http/PublicUrl") {}
