import { Layer } from "effect"
import { Draining } from "../../src/http/server/Draining.ts"
import { Mailer } from "../../src/mail/Mailer.ts"
import * as MailLinks from "../../src/MailLinks.ts"

/** The services that make the links in emails. */
type Linked = Layer.Services<ReturnType<typeof MailLinks.layer>>

/** An application with a mailer, and with the links in its emails. */
export const withMailer = <M, A, E, R>(mailer: Layer.Layer<M>, application: Layer.Layer<A | Linked, E, R>) =>
  Layer.mergeAll(mailer, MailLinks.layer("https://forecast.example"), Draining.layerWith(0)).pipe(
    Layer.provideMerge(application)
  )

/** An application whose emails go to a postbox. */
export const withPostbox = <A, E, R>(application: Layer.Layer<A | Linked, E, R>) =>
  withMailer(Mailer.layerMemory, application)
