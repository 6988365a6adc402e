import { dirname, join } from "node:path"
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { renameDurably, sync } from "../database/DurableFile.ts"
import type { DatabaseSettings } from "../settings/DatabaseSettings.ts"
import type { Environment } from "../settings/Environment.ts"
import type { MailSettings, Sender } from "../settings/MailSettings.ts"
import { Mailer, NotDelivered } from "./Mailer.ts"
import { loadNodemailer, mailOf } from "./Nodemailer.ts"

/** The folder that emails are written to: `mail` next to the SQLite file, or `data/mail`. */
export const mailFolderOf = (database: DatabaseSettings): string =>
  join(database.kind === "sqlite" && database.file !== ":memory:" ? dirname(database.file) : "data", "mail")

/** The same folder for whoever tries the service; undefined in production, and if emails are sent. */
export const trialMailFolder = (settings: {
  readonly database: DatabaseSettings
  readonly environment: Environment
  readonly mail: MailSettings
}): string | undefined =>
  settings.environment !== "production" && settings.mail.kind === "folder" ? mailFolderOf(settings.database) : undefined

/**
 * Writes into a folder, one .eml file per letter, which appears once it is complete and on disk. The log names the
 * file, and the link in it if `showsLinks` is set.
 */
export const layer = (folder: string, from: Sender, showsLinks: boolean, replyTo?: string) =>
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
