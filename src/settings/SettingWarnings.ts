import { ConfigProvider, Effect, Option } from "effect"
import type { IpNetwork } from "effect/net"
import levenshtein from "fastest-levenshtein"
import type { Contact } from "./Contact.ts"
import { type DatabaseSettings, isInTheClear } from "./DatabaseSettings.ts"
import type { MailSettings, Sender } from "./MailSettings.ts"

/** A warning about a setting with which the service starts, although it is probably a mistake. */
export interface SettingWarning {
  readonly reason: string
  /** False if it may be intended, such as a service that sells nothing. */
  readonly isWrong: boolean
}

/** The settings that are checked in production. */
interface CheckedSettings {
  readonly contact: Contact
  readonly database: DatabaseSettings
  readonly environment: string
  readonly mail: MailSettings
  readonly mailFrom: Sender
  readonly publicUrl: Option.Option<string>
  readonly stripe: Option.Option<unknown>
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
}

const wrong = (reason: string): SettingWarning => ({ reason, isWrong: true })
const lacking = (reason: string): SettingWarning => ({ reason, isWrong: false })

/** Warnings about a PUBLIC_URL with a path, or with a slash at its end. */
export const addressWarnings = ({ publicUrl }: Pick<CheckedSettings, "publicUrl">): ReadonlyArray<SettingWarning> => {
  const url = Option.getOrElse(publicUrl, () => "")
  if (/^[^:]*:\/\/[^/]*\/$/.test(url)) {
    return [
      wrong(
        "PUBLIC_URL ends with a slash: Caddyfile would serve only the start page, and give all other requests an empty response. Remove it"
      )
    ]
  }
  return url !== "" && URL.parse(url)?.pathname !== "/"
    ? [
        lacking(
          "PUBLIC_URL has a path: only the API works below a path. The pages, including those that links in emails open, need an address of their own, like https://forecast.example"
        )
      ]
    : []
}

/** Warnings about settings that are missing in production, or unsuitable for it. */
export const productionWarnings = (settings: CheckedSettings): ReadonlyArray<SettingWarning> => {
  if (settings.environment !== "production") return []
  const { paymentInstructions, supportEmail } = settings.contact
  const publicUrl = Option.getOrElse(settings.publicUrl, () => "")
  const found: ReadonlyArray<readonly [isFound: boolean, warning: SettingWarning]> = [
    [
      publicUrl.startsWith("http://"),
      wrong(
        "PUBLIC_URL begins with http://: keys, and links that reveal them, cross the network in the clear. Put a proxy with TLS in front of the service, and its https address here"
      )
    ],
    [
      publicUrl.startsWith("https://") && settings.trustedProxies.length === 0,
      wrong(
        "TRUSTED_PROXIES is not set, although a proxy has to end the TLS of PUBLIC_URL: all clients have its address and share the limits of a single client, such as 20 access requests per hour"
      )
    ],
    [
      settings.trustedProxies.some(({ prefixLength }) => prefixLength === 0),
      wrong(
        "TRUSTED_PROXIES has every address: a client chooses its own in X-Forwarded-For, and no limit of a client holds. Set it to the addresses of your proxies"
      )
    ],
    [
      isInTheClear(settings.database),
      lacking(
        "DATABASE_URL has no sslmode: what the service and Postgres send each other crosses the network in the clear. Add ?sslmode=require, or ?sslmode=disable if the network is private"
      )
    ],
    [
      settings.mail.kind === "folder",
      wrong("MAIL_URL is not set: emails are only written to a folder and never delivered")
    ],
    [
      /@localhost(?:\.localdomain)?$/i.test(settings.mailFrom.address),
      wrong("MAIL_FROM is an address at localhost, which mail servers refuse: set it to an address of your domain")
    ],
    [
      Option.isNone(settings.stripe) && Option.isNone(paymentInstructions),
      lacking(
        `PAYMENT_INSTRUCTIONS is not set: without Stripe, ${
          Option.isNone(supportEmail) ? "the pages sell no credits" : "buyers have to ask SUPPORT_EMAIL how to pay"
        }`
      )
    ],
    [Option.isNone(supportEmail), lacking("SUPPORT_EMAIL is not set: buyers do not know whom to ask")]
  ]
  return found.flatMap(([isFound, warning]) => (isFound ? [warning] : []))
}

/** The names of all set variables, known or not. */
const namesBelow = (path: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, ConfigProvider.SourceError> =>
  Effect.gen(function* () {
    const node = yield* (yield* ConfigProvider.ConfigProvider).load(path)
    if (node === undefined) return []
    // The children of a list are numbered, and never settings.
    const below = yield* Effect.forEach(node._tag === "Record" ? node.keys : [], (key) => namesBelow([...path, key]))
    return [...(node.value === undefined ? [] : [path.join("_")]), ...below.flat()]
  })

/** True if a name is probably a misspelling of a known one: few letters differ, or words in the middle are missing. */
const resembles = (name: string, known: string): boolean => {
  const [letters, knownLetters] = [name.replaceAll("_", ""), known.replaceAll("_", "")]
  const most = Math.floor(Math.max(letters.length, knownLetters.length) / 4)
  if (letters.length > 4 && levenshtein.distance(letters, knownLetters) <= most) return true
  const [words, knownWords] = [name.split("_"), known.split("_")]
  return words.length > 1 && words[0] === knownWords[0] && words.at(-1) === knownWords.at(-1)
}

/** Warnings about unknown variables that are set and resemble a known one that is not. */
export const misspellingWarnings = Effect.fnUntraced(function* (known: ReadonlySet<string>) {
  const names = yield* Effect.orElseSucceed(namesBelow([]), () => [])
  const isSet = new Set(names)
  return names.flatMap((name): ReadonlyArray<SettingWarning> => {
    if (known.has(name) || !/^[A-Z][A-Z0-9_]*$/.test(name)) return []
    const alike = [...known].filter((each) => !isSet.has(each) && resembles(name, each))
    if (alike.length === 0) return []
    return [wrong(`${name} is set, but is not a setting; did you mean ${levenshtein.closest(name, alike)}?`)]
  })
})
