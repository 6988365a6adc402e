import { Effect, Redacted, Result } from "effect"
import { isLoopback } from "../settings/Listening.ts"
import { maxReason } from "./Mailer.ts"
import { loadNodemailer } from "./Nodemailer.ts"

const decode = (text: string) =>
  Result.getOrElse(
    Result.try(() => decodeURIComponent(text)),
    () => text
  )

/** The password of a URL, in plain text and in SMTP's encodings (RFC 4616 and RFC 4954), the longest first. */
const secretsIn = (url: Redacted.Redacted): ReadonlyArray<string> => {
  const { password, username } = new URL(Redacted.value(url))
  if (password === "") return []
  const [user, pass] = [decode(username), decode(password)]
  const base64 = (text: string) => Buffer.from(text).toString("base64")
  const forms = [`\0${user}\0${pass}`, `${user}\0${user}\0${pass}`, pass].map(base64)
  return [...forms, ...forms.map((form) => form.replace(/=+$/, "")), password, pass].toSorted(
    (a, b) => b.length - a.length
  )
}

/** Returns the reason of a failure without the password of the URL, because some servers quote what they were sent. */
export const reasonFrom = (url: Redacted.Redacted) => {
  const secrets = secretsIn(url)
  return (error: unknown): string =>
    secrets.reduce(
      (text, secret) => text.replaceAll(secret, "(the password)"),
      error instanceof Error ? error.message : String(error)
    )
}

/** The timeout for a mail server, in milliseconds. */
const timeout = 10_000

/**
 * nodemailer's options for a mail server. A password crosses the network only inside TLS, unless the URL says how TLS
 * is to be used.
 */
export const connectionTo = (url: Redacted.Redacted) => {
  const { hostname, password, search } = new URL(Redacted.value(url))
  const isCrossing = password !== "" && !isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"))
  return {
    url: Redacted.value(url),
    ...(isCrossing && !/[?&](?:ignore|opportunistic|require)TLS=/.test(search) && { requireTLS: true }),
    connectionTimeout: timeout,
    greetingTimeout: timeout
  }
}

/**
 * Connects to a mail server and logs in, without sending anything. Returns the reason of a failure, without the
 * password; undefined if it works.
 */
export const checkMailServer = (url: Redacted.Redacted): Effect.Effect<string | undefined> =>
  Effect.acquireUseRelease(
    Effect.map(loadNodemailer, ({ createTransport }) =>
      createTransport({ ...connectionTo(url), socketTimeout: timeout })
    ),
    (transport) => Effect.promise(() => transport.verify().then(() => undefined, reasonFrom(url))),
    (transport) => Effect.sync(() => transport.close())
  ).pipe(Effect.map((reason) => reason?.slice(0, maxReason)))
