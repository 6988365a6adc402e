import { Context, type Effect } from "effect"

/** Makes the link that a mail carries, at the moment it is sent. */
export class Links extends Context.Service<
  Links,
  {
    /** A new address that does what the link with this id is for. It is a secret. */
    readonly make: (linkId: string) => Effect.Effect<string>
  }
>()("outreach-forecast/mail/Links") {}
