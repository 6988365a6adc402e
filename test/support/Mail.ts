import { Layer } from "effect"
import type { AccessRequests } from "../../src/keys/AccessRequests.ts"
import { Draining } from "../../src/http/server/Draining.ts"
import { Mailer } from "../../src/mail/Mailer.ts"
import * as MailLinks from "../../src/MailLinks.ts"
import type { Notices } from "../../src/extensions/notices/Notices.ts"
import type { Orders } from "../../src/orders/Orders.ts"

/** An application with a mailer, and with the links in its emails. */
export const withMailer = <M, A, E, R>(
  mailer: Layer.Layer<M>,
  application: Layer.Layer<A | AccessRequests | Notices | Orders, E, R>
) =>
  Layer.mergeAll(mailer, MailLinks.layer("https://forecast.example"), Draining.layerWith(0)).pipe(
    Layer.provideMerge(application)
  )

/** An application whose emails go to a postbox. */
export const withPostbox = <A, E, R>(application: Layer.Layer<A | AccessRequests | Notices | Orders, E, R>) =>
  withMailer(Mailer.layerMemory, application)
