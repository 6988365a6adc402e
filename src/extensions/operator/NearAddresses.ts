import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import levenshtein from "fastest-levenshtein"
import { findAll } from "../../database/Statements.ts"
import { mailboxOf } from "../../keys/Mailbox.ts"
import { isErased } from "../../mail/Mail.ts"

/** An address that a key or an order has. */
interface NearAddress {
  readonly email: string
  readonly of: "a key" | "an order"
}

/** The most edits between the names of two addresses at one host. */
const maxEdits = 2

/** The most addresses that are suggested, and the most that are read to choose them. */
const maxSuggested = 5
const maxRead = 10_000

const Row = Schema.Struct({ email: Schema.String, mailbox: Schema.String, of: Schema.Literals(["a key", "an order"]) })

/** A mailbox as the name and the host. */
const partsOf = (mailbox: string) => {
  const at = mailbox.lastIndexOf("@")
  return { name: mailbox.slice(0, at), host: mailbox.slice(at + 1) }
}

/** A name in `maxEdits + 1` pieces: within that many edits, one of them stays as it is. None of a shorter name. */
const piecesOf = (name: string): ReadonlyArray<string> => {
  const characters = Array.from(name)
  const count = maxEdits + 1
  if (characters.length < count) return []
  const start = (i: number) => Math.floor((i * characters.length) / count)
  return Array.from({ length: count }, (_, i) => characters.slice(start(i), start(i + 1)).join(""))
}

/** The edits between two mailboxes of one name or of one host; undefined if they are not near. */
const editsBetween = (mailbox: string, other: string): number | undefined => {
  const [a, b] = [partsOf(mailbox), partsOf(other)]
  if (a.name === b.name) return levenshtein.distance(a.host, b.host)
  const edits = levenshtein.distance(a.name, b.name)
  return a.host === b.host && edits <= maxEdits ? edits : undefined
}

/** Finds the addresses that somebody may have meant who typed another one. */
export class NearAddresses extends Context.Service<
  NearAddresses,
  {
    /**
     * The addresses of the same name at another host, and at the same host of a similar name that begins alike; nearest
     * first.
     */
    readonly near: (address: string) => Effect.Effect<ReadonlyArray<NearAddress>>
  }
>()("outreach-forecast/operator/NearAddresses") {
  static readonly layer = Layer.effect(
    NearAddresses,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** True for the mailboxes that begin with a name and `@`, which the index on mailboxes finds: A follows @. */
      const hasName = (name: string) => sql`(mailbox > ${`${name}@`} AND mailbox < ${`${name}A`})`

      /**
       * True for the mailboxes at a host with a name of a similar length that has one of the pieces of a name, and its
       * first letter: the index on mailboxes finds these, and the first letter is the one that is least often mistyped.
       */
      const hasSimilarName = (name: string, host: string) => {
        const [{ length: ending }, { 0: first = "", length }] = [Array.from(`@${host}`), Array.from(name)]
        const hasPiece = piecesOf(name).map((piece) => sql`replace(mailbox, ${piece}, '') <> mailbox`)
        return sql.and([
          sql`mailbox >= ${first}`,
          sql`mailbox < ${`${first}\u{10FFFF}`}`,
          sql`length(mailbox) BETWEEN ${Math.max(length - maxEdits, 1) + ending} AND ${length + maxEdits + ending}`,
          sql`substr(mailbox, length(mailbox) - ${ending - 1}) = ${`@${host}`}`,
          ...(hasPiece.length === 0 ? [] : [sql.or(hasPiece)])
        ])
      }

      const read = (isNear: Statement.Fragment) =>
        findAll(
          Row,
          sql`
            SELECT email, mailbox, 'a key' AS of FROM api_keys WHERE is_demo = 0 AND ${isNear}
            UNION ALL
            SELECT email, mailbox, 'an order' AS of FROM orders WHERE ${isNear}
            LIMIT ${maxRead}`
        )

      const near = Effect.fn("NearAddresses.near")(function* (address: string) {
        const mailbox = mailboxOf(address)
        const { host, name } = partsOf(mailbox)
        if (name === "") return []
        const rows = [...(yield* read(hasName(name))), ...(yield* read(hasSimilarName(name, host)))]
        const found = rows.flatMap(({ email, mailbox: other, of }) => {
          const edits = isErased(email) ? undefined : editsBetween(mailbox, other)
          return edits === undefined ? [] : [{ email, mailbox: other, of, edits }]
        })
        // Keys are read first: an address that has a key and an order is shown as that of a key.
        const first = new Map(found.toReversed().map((each) => [each.mailbox, each]))
        return [...first.values()]
          .toSorted((a, b) => a.edits - b.edits || (a.mailbox < b.mailbox ? -1 : 1))
          .slice(0, maxSuggested)
      })

      return { near }
    })
  )
}
