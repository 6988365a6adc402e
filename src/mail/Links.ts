import { Context, type Effect, type Redacted } from "effect"

/** Makes the link of a mail when the mail is sent. */
export class Links extends Context.Service<
  Links,
  {
    /** A new URL for the link with this id. */
    readonly make: (linkId: string) => Effect.Effect<Redacted.Redacted>
  }
>()("outreach-forecast/mail/Links") {}
