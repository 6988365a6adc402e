import { Clock, Effect, FileSystem, Option, type Redacted } from "effect"
import { LedgerAudit } from "../../credits/audit/LedgerAudit.ts"
import type { Inspection } from "../../database/Inspection.ts"
import { timeoutAdvice } from "../../database/Postgres.ts"
import { firstMailsPerHour } from "../../http/KeylessLimits.ts"
import { checkMailServer } from "../../mail/SmtpServer.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import { Mails } from "../../mail/Mails.ts"
import { Orders } from "../../orders/Orders.ts"
import { isFarAhead } from "../../retention/Retention.ts"
import { databaseName } from "../../settings/DatabaseSettings.ts"
import { showAddress } from "../../settings/Listening.ts"
import { type Sender, showSender } from "../../settings/MailSettings.ts"
import { counted } from "../../text/Figures.ts"
import type { Settings } from "../../Settings.ts"
import { isoTime } from "../../text/Times.ts"
import { wrap } from "../../cli/Layout.ts"
import { lineOf } from "../../cli/UserFailures.ts"

/** The result of a check. A `wrong` finding must be fixed; a `note` may be intended. */
export interface Finding {
  readonly about: string
  readonly state: "ok" | "note" | "wrong"
  readonly found: string
  /** The remedy, and the words of a command to run. */
  readonly advice?: string
  readonly type?: ReadonlyArray<string>
}

const ok = (about: string, found: string): Finding => ({ about, state: "ok", found })
const note = (about: string, found: string, advice?: string): Finding => ({
  about,
  state: "note",
  found,
  ...(advice === undefined ? {} : { advice })
})
export const wrong = (about: string, found: string, advice: string, type?: ReadonlyArray<string>): Finding => ({
  about,
  state: "wrong",
  found,
  advice,
  ...(type === undefined ? {} : { type })
})

/** Findings for people, a few lines each. */
export const showFindings = (findings: ReadonlyArray<Finding>, width: number): string =>
  findings
    .flatMap(({ about, advice, found, state, type }) => {
      const indentation = " ".repeat(20)
      return [
        ...wrap(found, width, `${state.padEnd(6)}  ${about.padEnd(10)}  `),
        ...(advice === undefined ? [] : wrap(advice, width, indentation)),
        ...(type === undefined ? [] : [`${indentation}Type: ${lineOf(type)}`])
      ]
    })
    .join("\n")

/** The response of a server that is asked if it is ready; none without one within 5 seconds. */
const probeServer = Effect.fnUntraced(function* (base: string) {
  const response = yield* Effect.tryPromise(() => fetch(`${base}/readyz`, { signal: AbortSignal.timeout(5000) }))
  const text = yield* Effect.tryPromise(() => response.text())
  return { status: response.status, text: text.slice(0, 300) }
}, Effect.option)

type Configured = Settings["Service"]

const mebibyte = 1024 * 1024
const size = (bytes: number) =>
  bytes < 1024 * mebibyte ? `${(bytes / mebibyte).toFixed(1)} MiB` : `${(bytes / mebibyte / 1024).toFixed(1)} GiB`

/** The free space on the disk of the database below which the service is in trouble, or soon will be. */
const [tooLittle, little] = [200 * mebibyte, 1024 * mebibyte]

/** A write-ahead log larger than this was not written back for a long time: 4,000 pages are usual. */
const longLog = 256 * mebibyte

export const checkSettings = ({ database, environment, warnings }: Configured): ReadonlyArray<Finding> => [
  ok("settings", `${environment}, ${databaseName(database)}`),
  ...warnings.map(({ isWrong, reason }) =>
    isWrong ? wrong("settings", reason, "Correct the variable, and restart the service.") : note("settings", reason)
  )
]

/** The checks that were made, and those that were not. */
const checkedOf = (disk: Inspection["disk"]): string =>
  Option.isSome(disk)
    ? "its pages and indexes are sound"
    : "Postgres checks its pages itself; its pages and its disk were not checked"

/** Checks the version of the database; for a file, also its pages, its disk and its write-ahead log. */
export const checkDatabase = ({ damage, disk, hasTimeouts, migrations }: Inspection): ReadonlyArray<Finding> => {
  if (damage.length > 0) {
    const advice = "Stop the service, and restore the last backup."
    return [wrong("database", `It is damaged: ${damage.join("; ")}`, advice, ["database", "restore", "FILE"])]
  }
  const { applied, known } = migrations
  const version =
    applied === known
      ? ok("database", `${counted(applied, "migration")}; ${checkedOf(disk)}`)
      : applied < known
        ? note("database", `It has ${applied} of ${known} migrations`, "The service will migrate it at its next start.")
        : wrong(
            "database",
            `A newer version of the service migrated it: ${applied} migrations, not ${known}`,
            "Install that version."
          )
  const timeouts = hasTimeouts
    ? []
    : [note("database", "A pooler is in front of Postgres, which does not end what takes too long", timeoutAdvice)]
  return [version, ...timeouts, ...Option.match(disk, { onNone: () => [], onSome: checkDisk })]
}

const checkDisk = ({ file, free, log }: { readonly file: number; readonly free: number; readonly log: number }) => {
  const left = `${size(free)} free; the database file is ${size(file)}`
  const advice = "Free up space there, or move the database to a larger disk."
  return [
    free < tooLittle ? wrong("disk", left, advice) : free < little ? note("disk", left, advice) : ok("disk", left),
    log > longLog
      ? wrong(
          "WAL",
          `The write-ahead log is ${size(log)}`,
          "A program has been reading the database for a long time: find it, or restart the service."
        )
      : ok("WAL", `The write-ahead log is ${size(log)}`)
  ]
}

/** The allowed difference between clocks, in milliseconds. */
const tolerance = 5000

export const checkClock = Effect.fnUntraced(function* ({ newestEntryAt }: Inspection) {
  const now = yield* Clock.currentTimeMillis
  const found = `It is ${isoTime(now)} here, but the newest ledger entry is from ${isoTime(newestEntryAt)}`
  if (newestEntryAt > now + tolerance) {
    return wrong("clock", found, "Correct the clock: months, links and deadlines depend on it.")
  }
  return newestEntryAt > 0 && isFarAhead(now, newestEntryAt)
    ? wrong(
        "clock",
        `${found}: the service deletes nothing by age`,
        "Correct the clock. If it is right, deletion resumes with the next change of any key's credits."
      )
    : ok("clock", isoTime(now))
})

export const checkLedger = Effect.gen(function* () {
  const { entries, faultCount, keys } = yield* Effect.flatMap(LedgerAudit, ({ verify }) => verify)
  const checked = `${counted(entries, "entry", "entries")} of ${counted(keys, "key")}`
  return faultCount === 0
    ? ok("ledger", `No faults in ${checked}`)
    : wrong(
        "ledger",
        `${counted(faultCount, "fault")} in ${checked}`,
        "Stop the service and keep a copy of the database.",
        ["ledger", "verify"]
      )
})

/** The time that an email may wait to be sent, in milliseconds. */
const longWait = 3_600_000

/** True for the owner of a key in use or the buyer of a paid order: an email to them matters. */
const isCustomer = Effect.fnUntraced(function* (address: string) {
  const keys = yield* Effect.flatMap(ApiKeys, ({ search }) => search(address))
  if (keys.some(({ state }) => state === "usable")) return true
  const orders = yield* Effect.flatMap(Orders, ({ ofMailbox }) => ofMailbox(address))
  return orders.some(({ state }) => state === "fulfilled")
})

export const checkMails = Effect.gen(function* () {
  const mails = yield* Mails
  const now = yield* Clock.currentTimeMillis
  const dead = yield* mails.list("dead", 1000)
  const missed = yield* Effect.filter(dead, ({ to }) => isCustomer(to))
  const waiting = (yield* mails.list("queued", 1000)).filter(({ createdAt }) => now - createdAt > longWait)
  const list = ["mails", "list", "--state", "dead"]
  if (missed.length > 0) {
    return wrong(
      "mails",
      `${counted(missed.length, "email")} to customers could not be delivered`,
      "Find out why, then send them again with mails retry, or give up with mails discard.",
      list
    )
  }
  if (waiting.length > 0) {
    return wrong(
      "mails",
      `${counted(waiting.length, "email")} queued for more than an hour`,
      "They are sent only while the service is running.",
      ["mails", "list", "--state", "queued"]
    )
  }
  return dead.length > 0
    ? note(
        "mails",
        `${counted(dead.length, "email")} to strangers could not be delivered`,
        "They have no key yet, and may have mistyped their address. To give up on such an email: mails discard."
      )
    : ok("mails", "None is dead or late")
})

/** Checks whether the limits of emails for requests without a key refuse any, which somebody floods. */
export const checkKeylessMails = ({ keylessMails: { first, further } }: Inspection, { limits }: Configured) => {
  const { keylessMailsPerHour: most } = limits
  if (first > firstMailsPerHour) {
    return wrong(
      "strangers",
      `More than ${firstMailsPerHour} networks asked for emails without a key within an hour: others get 429`,
      "Find out who floods the service, and block them in front of it. Owners of keys are not affected."
    )
  }
  return further > most
    ? note(
        "strangers",
        `More than ${most} emails within an hour for requests without a key: networks that have had one get 429`,
        "If they are no flood, raise KEYLESS_MAILS_PER_HOUR."
      )
    : ok("strangers", `${counted(first + further, "email")} in this hour for requests without a key`)
}

export const checkOrders = Effect.gen(function* () {
  const overdue = yield* Effect.flatMap(Orders, ({ overdue }) => overdue)
  return overdue.length === 0
    ? ok("orders", "None is overdue")
    : wrong("orders", `${counted(overdue.length, "order")} overdue`, "Confirm their payments, or check their emails.", [
        "orders",
        "list",
        "--overdue"
      ])
})

/** An open dispute is no fault of the installation, and an answered one stays open for weeks: a note. */
export const checkDisputes = Effect.gen(function* () {
  const disputed = yield* Effect.flatMap(Orders, ({ disputed }) => disputed)
  return disputed.length === 0
    ? ok("disputes", "No payment is disputed")
    : note(
        "disputes",
        `${counted(disputed.length, "payment")} disputed: ${disputed.map(({ id }) => id).join(", ")}`,
        "Answer each at Stripe, unless you have: what is not answered is lost."
      )
})

const checkSmtp = Effect.fnUntraced(function* (url: Redacted.Redacted, sender: Sender) {
  const why = yield* checkMailServer(url)
  return why === undefined
    ? ok("mail", `The server can be used; an email shows whether it accepts the sender ${showSender(sender)}`)
    : wrong(
        "mail",
        `The server in MAIL_URL cannot be used: ${why}`,
        "Correct MAIL_URL (smtps:// is for ports with TLS from the start, usually 465), or ask the operator of that server."
      )
})

/** Checks the way in which emails are delivered, without sending any. */
export const checkDelivery = ({ mail, mailFrom }: Configured): Effect.Effect<Finding> => {
  switch (mail.kind) {
    case "smtp":
      return checkSmtp(mail.url, mailFrom)
    case "folder":
      return Effect.succeed(note("mail", "There is no mail server: emails are written to a folder"))
  }
}

/** Descriptors needed in addition to those of connections. */
const otherDescriptors = 100

export const checkDescriptors = Effect.fnUntraced(function* ({ maxConnections }: Configured) {
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.orElseSucceed(files.readFileString("/proc/self/limits"), () => "")
  const limit = Number(/^Max open files +(\d+)/m.exec(text)?.[1])
  if (Number.isNaN(limit)) return note("open files", "This system does not report how many files a process may open")
  const found = `A process may open ${limit} files, and ${maxConnections} connections are allowed`
  return limit < maxConnections + otherDescriptors
    ? wrong(
        "open files",
        found,
        `Raise the limit (ulimit -n ${maxConnections + otherDescriptors}), or lower MAX_CONNECTIONS.`
      )
    : ok("open files", found)
})

const addressOf = (host: string, port: number) => {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  return `http://${showAddress(reachable, port)}`
}

export const checkServer = Effect.fnUntraced(function* ({ adminHost, adminPort, host, port }: Configured) {
  const base = Option.match(adminPort, {
    onNone: () => addressOf(host, port),
    onSome: (admin) => addressOf(adminHost, admin)
  })
  const running = yield* probeServer(base)
  if (Option.isNone(running))
    return note("server", `No service answers at ${base}`, "Start it, unless it is meant to be stopped.")
  const { status, text } = running.value
  return status === 200
    ? ok("server", `It is ready at ${base}`)
    : wrong("server", `${base}/readyz returned ${status}: ${text}`, "Check its log; the other lines here may say why.")
})
