import { dirname, join } from "node:path"
import { Context, Effect, FileSystem, Layer, Option, Path, Predicate, type Redacted, Schema } from "effect"
import { renameDurably, sync } from "../database/DurableFile.ts"
import { Settings } from "../Settings.ts"
import type { DatabaseSettings } from "../settings/DatabaseSettings.ts"
import type { Environment } from "../settings/Environment.ts"
import type { Sender } from "../settings/MailSettings.ts"
import type { Message } from "./Mail.ts"
import { connectionTo, loadNodemailer, reasonFrom } from "./SmtpServer.ts"

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
 * The email was not accepted. A permanent rejection (SMTP 5xx for the recipient or the message) is final; anything else
 * may be retried.
 */
export class NotDelivered extends Schema.TaggedError<NotDelivered>()("NotDelivered", {
  reason: Schema.String,
  isPermanent: Schema.Boolean
}) {}

/** What `Mailer.layerMemory` accepted, and what the next letters meet, in order; without an entry, acceptance. */
export class Postbox extends Context.Service<
  Postbox,
  { readonly letters: Array<Letter>; readonly responses: Array<Effect.Effect<void, NotDelivered>> }
>()("outreach-forecast/mail/Postbox") {}

/** The folder that emails are written to without a mail server: `mail` next to the SQLite file, or `data/mail`. */
export const mailFolderOf = (database: DatabaseSettings): string =>
  join(database.kind === "sqlite" && database.file !== ":memory:" ? dirname(database.file) : "data", "mail")

/** The same folder for whoever tries the service; undefined in production, and with a mail server. */
export const trialMailFolder = (settings: {
  readonly database: DatabaseSettings
  readonly environment: Environment
  readonly mailUrl: Option.Option<unknown>
}): string | undefined =>
  settings.environment === "production" || Option.isSome(settings.mailUrl) ? undefined : mailFolderOf(settings.database)

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
  static readonly layerSmtp = (url: Redacted.Redacted, from: Sender, replyTo?: string) =>
    Layer.effect(
      Mailer,
      Effect.map(loadNodemailer, ({ createTransport }) => {
        const transportFor = (timeout: number) =>
          createTransport({
            ...connectionTo(url),
            // Longer than that of the attempt, so that the worker knows which emails got no reply.
            socketTimeout: timeout + 30_000
          })
        const reasonOf = reasonFrom(url)
        return Mailer.of({
          send: Effect.fn("Mailer.send")((letter) => {
            const transport = transportFor(letter.timeout)
            return Effect.asVoid(
              Effect.tryPromise({
                try: () => transport.sendMail(mailOf(letter, from, replyTo)).finally(() => transport.close()),
                catch: (error) => new NotDelivered({ reason: reasonOf(error), isPermanent: isPermanent(error) })
              })
            )
          })
        })
      })
    )

  /**
   * Writes into a folder, one .eml file per letter, which appears once it is complete and on disk. The log names the
   * file, and the link in it if `showsLinks` is set.
   */
  static readonly layerFolder = (folder: string, from: Sender, showsLinks: boolean, replyTo?: string) =>
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
        const [files, path] = [Context.get(context, FileSystem.FileSystem), Context.get(context, Path.Path)]
        const makeComposer = Effect.map(loadNodemailer, ({ createTransport }) =>
          createTransport({ streamTransport: true, buffer: true })
        )
        return Mailer.of({
          send: Effect.fn("Mailer.send")(
            function* (letter) {
              const { link, messageId } = letter
              const name = `${messageId.replace(/@.*/, "")}.eml`
              const file = path.join(folder, name)
              const part = path.join(folder, `.${name}.part`)
              const composer = yield* makeComposer
              const { message } = yield* Effect.promise(() => composer.sendMail(mailOf(letter, from, replyTo)))
              yield* files.makeDirectory(folder, { recursive: true, mode: 0o700 })
              if (!(message instanceof Uint8Array)) return yield* Effect.die("The composer did not return a buffer")
              yield* files.writeFile(part, message, { mode: 0o600 })
              yield* sync(part, "r+")
              yield* renameDurably(part, file)
              yield* Effect.annotateLogs(Effect.logInfo("mail written"), showsLinks ? { file, link } : { file })
            },
            Effect.provideContext(context),
            Effect.mapError(({ message }) => new NotDelivered({ reason: message, isPermanent: false }))
          )
        })
      })
    )

  /** Keeps letters in a postbox, for tests of what sends them. */
  static readonly layerMemory = Layer.effectContext(
    Effect.sync(() => {
      const postbox: Postbox["Service"] = { letters: [], responses: [] }
      const send = (letter: Letter) =>
        Effect.andThen(
          Effect.suspend(() => postbox.responses.shift() ?? Effect.void),
          Effect.sync(() => void postbox.letters.push(letter))
        )
      return Context.make(Postbox, postbox).pipe(Context.add(Mailer, { send }))
    })
  )

  /** Sends by SMTP if MAIL_URL is set, otherwise writes into a folder. */
  static readonly layer = Layer.unwrap(
    Effect.gen(function* () {
      const { contact, database, environment, mailFrom, mailUrl } = yield* Settings
      const replyTo = Option.getOrUndefined(contact.supportEmail)
      return Option.match(mailUrl, {
        onSome: (url) => Mailer.layerSmtp(url, mailFrom, replyTo),
        onNone: () => Mailer.layerFolder(mailFolderOf(database), mailFrom, environment !== "production", replyTo)
      })
    })
  )
}

/**
 * A letter for nodemailer. `Auto-Submitted` prevents out-of-office replies (RFC 3834). A letter with an unsubscribe
 * link announces it to mail programs, which post to it without opening it (RFC 8058).
 */
const mailOf = (
  { html, link, messageId, subject, text, to, unsubscribes }: Letter,
  from: Sender,
  replyTo: string | undefined
) => ({
  from,
  ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
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

/**
 * A 5xx for the recipient or the message is permanent; one for the connection, the login or the sender can be fixed by
 * the operator.
 */
const isPermanent = (error: unknown): boolean => {
  const code = Predicate.hasProperty(error, "code") ? error.code : undefined
  const command = Predicate.hasProperty(error, "command") ? error.command : undefined
  const answer = Predicate.hasProperty(error, "responseCode") ? error.responseCode : undefined
  return (
    (code === "EENVELOPE" || code === "EMESSAGE") &&
    command !== "MAIL FROM" &&
    (typeof answer !== "number" || answer >= 500)
  )
}
