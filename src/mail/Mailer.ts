import { Context, Data, Effect, FileSystem, Layer, Option, Path, Predicate, Redacted } from "effect"
import { Settings } from "../Settings.ts"
import { loadNodemailer } from "./loadNodemailer.ts"
import type { Message } from "./Mail.ts"

/** A message with its recipient. The ID is the same at each attempt, so that the receiver can detect duplicates. */
export interface Letter extends Message {
  readonly messageId: string
  readonly to: string
  /** The link in it, a secret; empty if there is none. */
  readonly link: string
  /** True if the link switches such emails off. */
  readonly unsubscribes: boolean
  /** The timeout of the attempt, in milliseconds. */
  readonly timeout: number
}

/**
 * The email was not accepted. A permanent rejection (SMTP 5xx for the email) is final; anything else may be retried.
 */
export class NotDelivered extends Data.TaggedError("NotDelivered")<{
  readonly reason: string
  readonly isPermanent: boolean
}> {}

/** Delivers letters. */
export class Mailer extends Context.Service<
  Mailer,
  {
    readonly send: (letter: Letter) => Effect.Effect<void, NotDelivered>
  }
>()("outreach-forecast/mail/Mailer") {
  /**
   * Sends by SMTP; replies go to `replyTo`. The failure contains the server's reply, without a quoted password and
   * without any content of the letter.
   */
  static readonly layerSmtp = (url: Redacted.Redacted, from: string, replyTo?: string) =>
    Layer.effect(
      Mailer,
      Effect.map(loadNodemailer, ({ createTransport }) => {
        const transportFor = (timeout: number) =>
          createTransport({
            url: Redacted.value(url),
            connectionTimeout: 10_000,
            greetingTimeout: 10_000,
            // Longer than that of the attempt, so that the worker knows which emails got no reply.
            socketTimeout: timeout + 30_000
          })
        const withoutSecrets = redactedBy(secretsIn(url))
        return Mailer.of({
          send: Effect.fn("Mailer.send")((letter) => {
            const transport = transportFor(letter.timeout)
            return Effect.asVoid(
              Effect.tryPromise({
                try: () => transport.sendMail(mailOf(letter, from, replyTo)).finally(() => transport.close()),
                catch: (error) => withoutSecrets(toNotDelivered(error))
              })
            )
          })
        })
      })
    )

  /**
   * Writes into a folder, one .eml file per letter. The log names the file, and the link in it if `showsLinks` is set.
   */
  static readonly layerFolder = (folder: string, from: string, showsLinks: boolean, replyTo?: string) =>
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const path = yield* Path.Path
        const makeComposer = Effect.map(loadNodemailer, ({ createTransport }) =>
          createTransport({ streamTransport: true, buffer: true })
        )
        return Mailer.of({
          send: Effect.fn("Mailer.send")(
            function* (letter) {
              const { link, messageId } = letter
              const file = path.join(folder, `${messageId.replace(/@.*/, "")}.eml`)
              const composer = yield* makeComposer
              const { message } = yield* Effect.promise(() => composer.sendMail(mailOf(letter, from, replyTo)))
              yield* files.makeDirectory(folder, { recursive: true, mode: 0o700 })
              if (!(message instanceof Uint8Array)) return yield* Effect.die("The composer did not return a buffer")
              yield* files.writeFile(file, message, { mode: 0o600 })
              yield* files.chmod(file, 0o600)
              yield* Effect.annotateLogs(Effect.logInfo("mail written"), showsLinks ? { file, link } : { file })
            },
            Effect.mapError(({ message }) => new NotDelivered({ reason: message, isPermanent: false }))
          )
        })
      })
    )

  /**
   * Sends by SMTP if MAIL_URL is set, otherwise writes into the folder `mail` next to the SQLite file, or `data/mail`.
   */
  static readonly layer = Layer.unwrap(
    Effect.gen(function* () {
      const { contact, database, environment, mailFrom, mailUrl } = yield* Settings
      const replyTo = Option.getOrUndefined(contact.supportEmail)
      const path = yield* Path.Path
      return Option.match(mailUrl, {
        onSome: (url) => Mailer.layerSmtp(url, mailFrom, replyTo),
        onNone: () =>
          Mailer.layerFolder(
            path.join(database.kind === "sqlite" ? path.dirname(database.file) : "data", "mail"),
            mailFrom,
            environment !== "production",
            replyTo
          )
      })
    })
  )
}

/**
 * A letter for nodemailer. `Auto-Submitted` prevents out-of-office replies (RFC 3834). A letter with an unsubscribe link
 * announces it to mail programs, which post to it without opening it (RFC 8058).
 */
const mailOf = (
  { html, link, messageId, subject, text, to, unsubscribes }: Letter,
  from: string,
  replyTo: string | undefined
) => ({
  from,
  replyTo,
  to: { name: "", address: to },
  subject,
  text,
  html,
  messageId: `<${messageId}>`,
  headers: {
    "Auto-Submitted": "auto-generated",
    ...(unsubscribes && { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" })
  }
})

/** The maximum length of a stored reason, in characters. */
const longestReason = 500

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

const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Removes the password from a refusal, because some servers quote what they were sent. */
const redactedBy =
  (secrets: ReadonlyArray<string>) =>
  ({ isPermanent, reason }: NotDelivered): NotDelivered =>
    new NotDelivered({
      isPermanent,
      reason: secrets
        .reduce((text, secret) => text.replaceAll(secret, "(the password)"), reason)
        .slice(0, longestReason)
    })

/** A 5xx for the envelope or the message is permanent; one for the connection or the login can be fixed by the operator. */
const toNotDelivered = (error: unknown): NotDelivered => {
  const code = Predicate.hasProperty(error, "code") ? error.code : undefined
  const answer = Predicate.hasProperty(error, "responseCode") ? error.responseCode : undefined
  return new NotDelivered({
    reason: error instanceof Error ? error.message : String(error),
    isPermanent: (code === "EENVELOPE" || code === "EMESSAGE") && (typeof answer !== "number" || answer >= 500)
  })
}
