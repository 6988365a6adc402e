import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { linkMark, siteMark, type Mail, MailState } from "./Mail.ts"
import { Mails } from "./Mails.ts"
import type { CommandDatabase } from "../cli/CommandDatabase.ts"
import { limit, listNewest } from "../cli/Parameters.ts"
import { fields, json, print, printRecord, printTable } from "../cli/Printing.ts"
import { isoTime } from "../text/Times.ts"

const mailId = Argument.String("mail").pipe(Argument.withDescription("The ID of the email, as shown by mails list"))

/** An email in a list for the operator. */
export const mailView = ({ attempts, createdAt, id, lastError, nextAttemptAt, sentAt, state, subject, to }: Mail) => ({
  id,
  state,
  to,
  subject,
  attempts,
  created_at: isoTime(createdAt),
  sent_at: sentAt === undefined ? "" : isoTime(sentAt),
  next_attempt_at: state === "queued" ? isoTime(nextAttemptAt) : "",
  last_error: lastError ?? ""
})

const list = Command.make(
  "list",
  {
    state: Flag.Literals("state", MailState.literals).pipe(
      Flag.withDescription("Only emails in this state"),
      Flag.optional
    ),
    address: Argument.String("address").pipe(
      Argument.withDescription("Only emails to this address"),
      Argument.optional
    ),
    limit,
    json
  },
  Effect.fnUntraced(function* ({ address, json, limit, state }) {
    const mails = yield* Mails
    const addresses = Option.map(address, (only) => [only])
    const found = yield* listNewest(limit, (most) =>
      mails.list(Option.getOrUndefined(state), most, Option.getOrUndefined(addresses))
    )
    const columns = ["id", "state", "to", "subject", "attempts", "created_at", "last_error"] as const
    yield* printTable(json, found.map(mailView), columns)
  })
).pipe(Command.withDescription("List the most recent emails, newest first. A dead email could not be delivered."))

const show = Command.make(
  "show",
  { mail: mailId, json },
  Effect.fnUntraced(function* ({ json, mail: id }) {
    const mails = yield* Mails
    const mail = yield* mails.find(id)
    const text = mail.text
      .replaceAll(linkMark, "(a link, created when the email is sent and never stored)")
      .replaceAll(siteMark, "(the address of this service)")
    yield* print(json, { ...mailView(mail), text }, `${fields(mailView(mail))}\n\n${text}`)
  })
).pipe(Command.withDescription("Show an email and the state of its delivery."))

const change = (name: "retry" | "discard", description: string) =>
  Command.make(
    name,
    { mail: mailId, json },
    Effect.fnUntraced(function* ({ json, mail: id }) {
      const { [name]: run } = yield* Mails
      yield* printRecord(json, mailView(yield* run(id)))
    })
  ).pipe(Command.withDescription(description))

const retry = change("retry", "Queue an email again; the running service sends it.")

const discard = change(
  "discard",
  "Give up on a dead email that need not be sent, such as one to a mistyped address; retry undoes it. A paid order no longer waits for it."
)

/** `mails`: the operator's commands for emails. */
export const mailsCommand = ({ changes, reads }: CommandDatabase<Mails>) =>
  Command.make("mails").pipe(
    Command.withDescription("Inspect emails, and retry or discard dead ones."),
    Command.withSubcommands([reads(list), reads(show), changes(retry), changes(discard)])
  )
