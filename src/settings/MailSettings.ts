import { Effect, Option, Redacted } from "effect"
import { check, isPercentEncoded, orElse, parsed, passwordForm, secret } from "./Variable.ts"

/** The delivery of emails: into a folder, or by the server of a URL, which may have a password. */
export type MailSettings = { readonly kind: "folder" } | { readonly kind: "smtp"; readonly url: Redacted.Redacted }

/** The sender of emails; the name may be empty. */
export interface Sender {
  readonly name: string
  readonly address: string
}

/** An address without the characters that separate addresses in a header. */
export const isMailAddress = (address: string) => /^[^<>()[\],;:"\\@\s]+@[^<>()[\],;:"\\@\s]+$/.test(address)

/** Parses an address, or `Name <address>`; the name may have any punctuation, and may be in double quotes. */
const parseSender = (text: string): Option.Option<Sender> => {
  const { address = text.trim(), name = "" } =
    /^(?<name>[^<>\p{Cc}]*)<(?<address>[^<>]+)>$/u.exec(text.trim())?.groups ?? {}
  const [, quoted] = /^"(.*)"$/.exec(name.trim()) ?? []
  return isMailAddress(address)
    ? Option.some({ name: quoted?.replaceAll(/\\(.)/g, "$1") ?? name.trim(), address })
    : Option.none()
}

/** A sender for people. */
export const showSender = ({ address, name }: Sender) => (name === "" ? address : `${name} <${address}>`)

/** The address of a sender, if somebody reads the replies to it. */
export const readAddress = ({ address }: Sender): string | undefined =>
  /^(?:no-?reply|do-?not-?reply)\b|@localhost/i.test(address) ? undefined : address

/** Reads MAIL_FROM. */
export const mailFrom = parsed(
  "MAIL_FROM",
  parseSender,
  "an address like Outreach Forecast <no-reply@example.com>"
).pipe(orElse<Sender>({ name: "Outreach Forecast", address: "no-reply@localhost" }))

/**
 * Accepts only what the mail library parses as meant. An unencoded character that ends the host would make a part of
 * the password the host, its port or a path.
 */
const isMailUrl = (url: Redacted.Redacted) => {
  const text = Redacted.value(url)
  const { hash, hostname = "", pathname, protocol, search = "" } = URL.parse(text) ?? {}
  return (
    isPercentEncoded(text) &&
    /^smtps?:$/.test(protocol ?? "") &&
    hostname !== "" &&
    // The host of an unknown scheme is not checked by the first parser.
    URL.canParse(`https://${hostname}`) &&
    /^\/?$/.test(pathname ?? "") &&
    hash === "" &&
    !search.includes("@")
  )
}

/** Reads MAIL_URL, without which emails are written into a folder. */
export const mail = secret("MAIL_URL").pipe(
  check(
    "MAIL_URL",
    isMailUrl,
    `look like smtp://user:password@host:port, or smtps:// for TLS from the start, ${passwordForm}`
  ),
  Effect.map(
    Option.match({
      onNone: (): MailSettings => ({ kind: "folder" }),
      onSome: (url): MailSettings => ({ kind: "smtp", url })
    })
  )
)
