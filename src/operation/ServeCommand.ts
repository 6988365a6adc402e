import { Cause, Config, Console, Effect, Layer, Option, Redacted } from "effect"
import { Command } from "effect/cli"
import * as Application from "../Application.ts"
import * as AuditJob from "../credits/audit/AuditJob.ts"
import * as Retention from "../retention/Retention.ts"
import { DatabaseHealth, watching as databaseWatch } from "../database/DatabaseHealth.ts"
import { added } from "../Extension.ts"
import { extensions } from "../extensions.ts"
import { AdminServer } from "../health/AdminHttp.ts"
import { Draining } from "../http/server/Draining.ts"
import { listeningUrl } from "../http/server/PublicServer.ts"
import * as Servers from "../Servers.ts"
import { PublicUrl } from "../http/RequestState.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { withoutSecrets } from "../text/SafeText.ts"
import * as MailWorker from "../mail/MailWorker.ts"
import * as ConfiguredMailer from "../mail/ConfiguredMailer.ts"
import * as MailLinks from "../MailLinks.ts"
import * as CallCounts from "../keys/CallCounts.ts"
import * as ServiceGauges from "./ServiceGauges.ts"
import { warmUp } from "./WarmUpHttp.ts"
import * as Logging from "../observability/Logging.ts"
import * as TelemetryExport from "../observability/TelemetryExport.ts"
import * as OverdueOrders from "../orders/OverdueOrders.ts"
import { databaseName } from "../settings/DatabaseSettings.ts"
import { Settings } from "../Settings.ts"
import { AlreadyReported, textOf } from "../cli/UserFailures.ts"

const welcome = (url: string, database: string, key: string, emails: string) => `
  Outreach Forecast listens on ${url}
  database  ${database}
  demo key  ${key}
  emails    ${emails}
  docs      ${url}/docs

  Try it:

  curl -s ${url}/api/v1/forecast \\
    -H 'x-api-key: ${key}' \\
    -H 'content-type: application/json' \\
    -d '{"emails_sent":5000,"reply_rate":5,"positive_reply_rate":30,"meeting_booking_rate":20,"close_rate":25,"average_deal_value":2500,"campaign_cost":600}'
`

/** Announces that the service is listening: in the log and, outside production, with a sample request. */
const announce = Layer.effectDiscard(
  Effect.gen(function* () {
    const settings = yield* Settings
    const { demoKey, environment } = settings
    const database = databaseName(settings.database)
    const url = yield* listeningUrl
    const admin = Option.match((yield* AdminServer).url, { onNone: () => ({}), onSome: (url) => ({ admin_url: url }) })
    yield* Effect.annotateLogs(Effect.logInfo("listening"), { url, ...admin, environment, database })
    for (const { reason } of settings.warnings) {
      yield* Effect.annotateLogs(Effect.logWarning("configuration warning"), { reason })
    }
    if (Option.isSome(demoKey)) {
      yield* Console.log(
        welcome(url, database, Redacted.value(demoKey.value.secret), ConfiguredMailer.showDelivery(settings))
      )
    }
  })
)

/** Sends emails while the server runs and until it has drained, with links to it. */
const mail = MailWorker.layer.pipe(
  Layer.provide(Layer.unwrap(Effect.map(PublicUrl, MailLinks.layer))),
  Layer.provide([ConfiguredMailer.layer, Draining.layer])
)

const prepare = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* (yield* DatabaseHealth).assertSound
    yield* (yield* ApiKeys).prepareDemoKey
  })
)

/** The other background work of the service, which stops first. */
const background = Layer.mergeAll(
  AuditJob.layer,
  OverdueOrders.layer,
  databaseWatch,
  Retention.purging,
  CallCounts.storing,
  ServiceGauges.layer,
  ...added(extensions, "background")
)

/** A test has few callers, and would wait as long for the warm-up as for the rest of a start. */
const warmedUp = Layer.effectDiscard(
  Effect.flatMap(Settings, ({ environment }) => (environment === "test" ? Effect.void : warmUp))
)

/** Listens before anything is written: a start that fails because a port is taken changes nothing. */
const server = Layer.merge(announce, background).pipe(
  Layer.provide(Servers.layer),
  Layer.provide(mail),
  Layer.provide([prepare, warmedUp]),
  Layer.provide(TelemetryExport.layer),
  Layer.provide(Application.layer),
  Layer.provide(Servers.listening),
  Layer.provide(Application.environment)
)

/** Logs a failure, which may be invalid settings, as one line in production. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(
    effect,
    Effect.fnUntraced(function* (cause) {
      const environment = yield* Effect.option(Config.String("APP_ENV"))
      if (!Option.contains(environment, "production") || Cause.hasInterruptsOnly(cause)) {
        return yield* Effect.failCause(cause)
      }
      yield* Effect.logError("service failed").pipe(
        Effect.annotateLogs({
          reason: withoutSecrets(textOf(Cause.squash(cause))),
          ...(Cause.hasDies(cause) ? { cause: withoutSecrets(Cause.pretty(cause)) } : {})
        }),
        Effect.provide(Logging.layerWithoutSettings)
      )
      return yield* new AlreadyReported()
    })
  )

/** `serve`: answers requests until SIGTERM or SIGINT. */
export const serveCommand = Command.make("serve", {}, () => logged(Layer.launch(server))).pipe(
  Command.withDescription(
    "Serve the API until SIGTERM or SIGINT. Then /readyz returns 503 for DRAIN_SECONDS while requests are still answered; after that, in-flight requests complete, new ones get 503, and the process exits with status 0 within 10 seconds."
  )
)
