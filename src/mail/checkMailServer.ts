import { Effect, Predicate, Redacted } from "effect"
import { loadNodemailer } from "./loadNodemailer.ts"

/** The timeout for a mail server, in milliseconds. */
const timeout = 10_000

/**
 * Connects to a mail server and logs in, without sending anything. Returns the reason of a failure, which contains
 * neither the user nor the password; undefined if it works.
 */
export const checkMailServer = (url: Redacted.Redacted): Effect.Effect<string | undefined> =>
  Effect.acquireUseRelease(
    Effect.map(loadNodemailer, ({ createTransport }) =>
      createTransport({
        url: Redacted.value(url),
        connectionTimeout: timeout,
        greetingTimeout: timeout,
        socketTimeout: timeout
      })
    ),
    (transport) =>
      Effect.promise(() =>
        transport.verify().then(
          () => undefined,
          (error: unknown) => {
            const code = Predicate.hasProperty(error, "code") ? String(error.code) : ""
            const answer = Predicate.hasProperty(error, "responseCode") ? ` ${String(error.responseCode)}` : ""
            return code === "EAUTH" ? `it refuses the login:${answer}` : `${code || "no connection"}${answer}`
          }
        )
      ),
    (transport) => Effect.sync(() => transport.close())
  )
