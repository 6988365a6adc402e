import { Context, type Effect, type Redacted } from "effect"

/** The addresses in an email, which are known only when it is sent. */
export class Links extends Context.Service<
  Links,
  {
    /** The address of this service, without a trailing slash. */
    readonly site: string
    /** Creates a new URL for the link with this ID. */
    readonly make: (linkId: string) => Effect.Effect<Redacted.Redacted>
  }
>()("outreach-forecast/mail/Links") {}
