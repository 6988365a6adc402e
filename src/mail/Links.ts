import { Context, type Effect, type Redacted } from "effect"

/** The addresses in a mail, which are known when it is sent. */
export class Links extends Context.Service<
  Links,
  {
    /** The address of this service, without a trailing slash. */
    readonly site: string
    /** A new URL for the link with this id. */
    readonly make: (linkId: string) => Effect.Effect<Redacted.Redacted>
  }
>()("outreach-forecast/mail/Links") {}
