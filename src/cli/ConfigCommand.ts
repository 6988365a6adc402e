import { Console, Effect, Option } from "effect"
import { Command } from "effect/cli"
import { IpNetwork } from "effect/net"
import { showPrice } from "../settings/CreditPack.ts"
import { databaseName } from "../settings/DatabaseSettings.ts"
import { Settings } from "../Settings.ts"
import { orUserError } from "./UserFailures.ts"

const check = Command.make("check", {}, () =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const { limits } = settings
    yield* Console.log("The configuration is in order.")
    yield* Console.log(
      [
        `environment  ${settings.environment}`,
        `listens on   ${settings.host}:${settings.port}`,
        `admin        ${Option.match(settings.adminPort, { onNone: () => "no listener: ADMIN_PORT is not set", onSome: (port) => `${settings.adminHost}:${port}` })}`,
        `public URL   ${Option.getOrElse(settings.publicUrl, () => "the address that is listened on")}`,
        `database     ${databaseName(settings.database)}`,
        `demo key     ${Option.isSome(settings.demoKey) ? `set to ${settings.demoKey.value.credits} credits at each start` : "not accepted"}`,
        `mail         ${Option.isSome(settings.mailUrl) ? "by SMTP" : "written into the folder mail"}, from ${settings.mailFrom}`,
        `proxies      ${settings.trustedProxies.length === 0 ? "none are trusted" : settings.trustedProxies.map(IpNetwork.format).join(", ")}`,
        `packs        ${settings.creditPacks.map((pack) => `${pack.id} ${pack.credits} for ${showPrice(pack)}`).join(", ")}`,
        `payments     ${Option.isSome(settings.stripe) ? "by Stripe" : "confirmed by the operator with orders fulfil"}`,
        `holidays     ${settings.holidays.size === 0 ? "none" : [...settings.holidays].join(", ")}`,
        `limits       ${limits.wrongKeysPerMinute} wrong keys a minute from one client; of one key ${limits.keyRequestsPerSecond} requests a second, ${limits.rotationsPerHour} rotations an hour, ${limits.unpaidOrdersPerKey} unpaid orders`,
        `log level    ${settings.logLevel}`
      ].join("\n")
    )
  }).pipe(Effect.provide(Settings.layer), orUserError)
).pipe(Command.withDescription("Check all environment variables, and list everything that is wrong at once."))

/** `config`: the configuration that the service would run with. */
export const configCommand = Command.make("config").pipe(
  Command.withDescription("Inspect the configuration."),
  Command.withSubcommands([check])
)
