import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { IpNetwork } from "effect/net"
import { showPrice } from "../settings/CreditPack.ts"
import { databaseName } from "../settings/DatabaseSettings.ts"
import { showAddress } from "../settings/Listening.ts"
import { showDelivery } from "../mail/ConfiguredMailer.ts"
import { showSender } from "../settings/MailSettings.ts"
import { limits, retention, showNumbers } from "../settings/Numbers.ts"
import { Settings } from "../Settings.ts"
import { fields, json, print } from "../cli/Printing.ts"

/** A share as a percentage, without floating-point noise. */
const percentOf = (share: number) => Number((share * 100).toPrecision(12))

type Lines = Readonly<Record<string, string>>

/** The lines that show each setting, by their labels; one without any is shown in the line of another. */
const linesOf = (
  settings: Settings["Service"]
): { readonly [setting in Exclude<keyof Settings["Service"], "warnings">]: Lines } => ({
  environment: { environment: settings.environment },
  host: { "listens on": showAddress(settings.host, settings.port) },
  port: {},
  adminHost: {},
  adminPort: {
    admin: Option.match(settings.adminPort, {
      onNone: () => "no listener: ADMIN_PORT is not set",
      onSome: (port) => showAddress(settings.adminHost, port)
    })
  },
  maxConnections: { connections: `at most ${settings.maxConnections} at a time` },
  publicUrl: { "public URL": Option.getOrElse(settings.publicUrl, () => "the listening address") },
  database: { database: databaseName(settings.database) },
  demoKey: {
    "demo key": Option.isSome(settings.demoKey)
      ? `set to ${settings.demoKey.value.credits} credits at each start`
      : "not accepted"
  },
  mail: { mail: `${showDelivery(settings)}, from ${showSender(settings.mailFrom)}` },
  mailFrom: {},
  trustedProxies: {
    proxies:
      settings.trustedProxies.length === 0
        ? "none are trusted"
        : `${settings.trustedProxies.map(IpNetwork.format).join(", ")}; requests are answered for ${settings.drainSeconds} s while the service stops`
  },
  drainSeconds: {},
  creditPacks: {
    packs: settings.creditPacks.map((pack) => `${pack.id} ${pack.credits} for ${showPrice(pack)}`).join(", ")
  },
  stripe: {
    payments: Option.isSome(settings.stripe)
      ? "by Stripe"
      : `${Option.isSome(settings.contact.paymentInstructions) ? "as PAYMENT_INSTRUCTIONS says, " : ""}confirmed by the operator with orders fulfil`
  },
  contact: {
    contact: Option.getOrElse(settings.contact.supportEmail, () => "none: SUPPORT_EMAIL is not set"),
    terms: Option.getOrElse(settings.contact.termsUrl, () => "not shown to buyers: TERMS_URL is not set")
  },
  seller: {
    seller:
      [settings.seller.name, settings.seller.address, settings.seller.taxNumber]
        .flatMap(Option.toArray)
        .join(", ")
        .replaceAll(/\s*\n/g, ", ") || "not named on receipts: SELLER_NAME is not set"
  },
  holidays: { holidays: settings.holidays.size === 0 ? "none" : [...settings.holidays].join(", ") },
  limits: { limits: showNumbers(limits, settings.limits) },
  retention: { keeps: showNumbers(retention, settings.retention) },
  telemetry: {
    telemetry: Option.match(settings.telemetry.endpoint, {
      onNone: () => "none: OTEL_EXPORTER_OTLP_ENDPOINT is not set",
      onSome: (endpoint) => `to ${endpoint}, with traces of ${percentOf(settings.telemetry.sampledShare)}%`
    })
  },
  logLevel: { "log level": settings.logLevel.toLowerCase() },
  logClients: { "log clients": settings.logClients === "hash" ? "by a hash" : "by their network, a /24 or /48" }
})

const check = Command.make("check", { json }, ({ json: isJson }) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const shown: Lines = Object.fromEntries(Object.values(linesOf(settings)).flatMap(Object.entries<string>))
    const warnings = settings.warnings.map(({ reason }) => reason)
    const members = Object.fromEntries(
      Object.entries(shown).map(([name, value]) => [name.toLowerCase().replace(" ", "_"), value])
    )
    const verdict = warnings.length === 0 ? "The configuration is in order." : "The service starts, but check this:"
    const lines = [
      verdict,
      ...warnings.map((warning) => `  ${warning}`),
      ...(warnings.length === 0 ? [] : [""]),
      fields(shown)
    ]
    yield* print(isJson, { ...members, warnings }, lines.join("\n"))
  }).pipe(Effect.provide(Settings.layer))
).pipe(Command.withDescription("Check all environment variables, and list every problem at once."))

/** `config`: the configuration of the service. */
export const configCommand = Command.make("config").pipe(
  Command.withDescription("Inspect the configuration."),
  Command.withSubcommands([check])
)
