import { Effect, Layer, Option } from "effect"
import { Settings } from "../Settings.ts"
import * as FolderMailer from "./FolderMailer.ts"
import * as SmtpMailer from "./SmtpMailer.ts"

/** Delivers letters in the way of the settings. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { contact, database, environment, mail, mailFrom } = yield* Settings
    const replyTo = Option.getOrUndefined(contact.supportEmail)
    switch (mail.kind) {
      case "smtp":
        return SmtpMailer.layer(mail.url, mailFrom, replyTo)
      case "folder":
        return FolderMailer.layer(FolderMailer.mailFolderOf(database), mailFrom, environment !== "production", replyTo)
    }
  })
)

/** The way in which letters are delivered, for people. */
export const showDelivery = ({ database, mail }: Pick<Settings["Service"], "database" | "mail">): string => {
  switch (mail.kind) {
    case "smtp":
      return "sent by the server in MAIL_URL"
    case "folder":
      return `files in ${FolderMailer.mailFolderOf(database)}`
  }
}
