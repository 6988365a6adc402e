import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { IpNetwork } from "effect/net"
import { showPrice } from "../settings/CreditPack.ts"
import { databaseName } from "../settings/DatabaseSettings.ts"
import { showAddress } from "../settings/Listening.ts"
import { mailFolderOf } from "../mail/FolderMailer.ts"
import { showSender } from "../settings/MailSettings.ts"
import { Settings } from "../Settings.ts"
import { fields, json, print } from "../cli/Printing.ts"

/** A share as a percentage, without floating-point noise. */
const percentOf = (share: number) => Number((share * 100).toPrecision(12))

const showDelivery = ({ database, mail }: Settings["Service"]): string => {
  switch (mail.kind) {
    case "smtp":
      return "by SMTP"
    case "folder":
      return `written to the folder ${mailFolderOf(database)}`
  }
}

const check = Command.make("check", { json }, ({ json: isJson }) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const { limits, retention } = settings
    const shown = {
      environment: settings.environment,
      "listens on": showAddress(settings.host, settings.port),
      admin: Option.match(settings.adminPort, {
        onNone: () => "no listener: ADMIN_PORT is not set",
        onSome: (port) => showAddress(settings.adminHost, port)
      }),
      "public URL": Option.getOrElse(settings.publicUrl, () => "the listening address"),
      database: databaseName(settings.database),
      "demo key": Option.isSome(settings.demoKey)
        ? `set to ${settings.demoKey.value.credits} credits at each start`
        : "not accepted",
      mail: `${showDelivery(settings)}, from ${showSender(settings.mailFrom)}`,
      proxies:
        settings.trustedProxies.length === 0
          ? "none are trusted"
          : `${settings.trustedProxies.map(IpNetwork.format).join(", ")}; requests are answered for ${settings.drainSeconds} s while the service stops`,
      packs: settings.creditPacks.map((pack) => `${pack.id} ${pack.credits} for ${showPrice(pack)}`).join(", "),
      payments: Option.isSome(settings.stripe)
        ? "by Stripe"
        : `${Option.isSome(settings.contact.paymentInstructions) ? "as PAYMENT_INSTRUCTIONS says, " : ""}confirmed by the operator with orders fulfil`,
      contact: Option.getOrElse(settings.contact.supportEmail, () => "none: SUPPORT_EMAIL is not set"),
      terms: Option.getOrElse(settings.contact.termsUrl, () => "not shown to buyers: TERMS_URL is not set"),
      seller:
        [settings.seller.name, settings.seller.address, settings.seller.taxNumber]
          .flatMap(Option.toArray)
          .join(", ")
          .replaceAll(/\s*\n/g, ", ") || "not named on receipts: SELLER_NAME is not set",
      holidays: settings.holidays.size === 0 ? "none" : [...settings.holidays].join(", "),
      limits: `${limits.wrongKeysPerMinute} wrong keys per minute from one client; per key ${limits.keyRequestsPerSecond} requests per second, ${limits.rotationsPerHour} rotations per hour, ${limits.unpaidOrdersPerKey} unpaid orders; ${limits.calculationMillisPerMinute} ms of calculations and ${limits.keylessMessagesPerMinute} MCP messages without a key per minute for one client; ${limits.keylessMailsPerHour} emails per hour for requests without a key`,
      keeps: `emails ${retention.mailDays} days, links ${retention.linkDays}, unconfirmed keys ${retention.unconfirmedKeyDays}, unpaid orders ${retention.unpaidOrderDays}, payment events ${retention.paymentEventDays}`,
      telemetry: Option.match(settings.telemetry.endpoint, {
        onNone: () => "none: OTEL_EXPORTER_OTLP_ENDPOINT is not set",
        onSome: (endpoint) => `to ${endpoint}, with traces of ${percentOf(settings.telemetry.sampledShare)}%`
      }),
      "log level": settings.logLevel.toLowerCase(),
      "log clients": settings.logClients === "hash" ? "by a hash" : "by their network, a /24 or /48"
    }
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
