import { Context } from "effect"

/** Base of the links in answers and mails, without a trailing slash. */
export class PublicUrl extends Context.Service<PublicUrl, string>()("outreach-forecast/http/PublicUrl") {}
