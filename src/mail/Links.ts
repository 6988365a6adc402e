import { Context, type Effect, type Redacted } from "effect"

/** Makes the link that a mail carries, at the moment it is sent. */
export class Links extends Context.Service<
  Links,
  {
    /** A new address that does what the link with this id is for. */
    readonly make: (linkId: string) => Effect.Effect<Redacted.Redacted>
  }
>()("outreach-forecast/mail/Links") {}
