import { Predicate } from "effect"
import type { ApiKey, Owner } from "../../src/keys/ApiKey.ts"
import type { KeyId } from "../../src/KeyId.ts"
import { mailboxOf } from "../../src/keys/Mailbox.ts"
import { hold, type Task } from "./Steps.ts"

interface Person {
  readonly name: string
  readonly company: string
  readonly addresses: ReadonlyArray<string>
}

/** Three people, two of them with several spellings of their mailbox. */
const people: ReadonlyArray<Person> = [
  {
    name: "Ada Lovelace",
    company: "Analytical Engines",
    addresses: ["ada@gmail.com", "a.da@googlemail.com", "ada+1@gmail.com"]
  },
  { name: "Bob Boole", company: "Boole Brothers", addresses: ["bob@example.com", "Bob+x@example.com"] },
  { name: "Eve Noether", company: "Noether Rings", addresses: ["eve@example.org"] }
]

/** Who asks for keys and orders: a person under one of the spellings of their mailbox. */
export const owners: ReadonlyArray<Owner> = people.flatMap(({ addresses, company, name }) =>
  addresses.map((email) => ({ name, email, company }))
)

/** What tells of a person, in lower case, by their mailbox. */
const traces = new Map(
  people.map(({ addresses, company, name }) => [
    mailboxOf(addresses[0] ?? ""),
    [name, company, ...addresses].map((text) => text.toLowerCase())
  ])
)

const texts = new WeakMap<object, string>()

/** A row as text, in lower case; rows are immutable. */
const textOf = (row: unknown): string => {
  if (!Predicate.isObject(row)) return String(row).toLowerCase()
  const known = texts.get(row)
  if (known !== undefined) return known
  const text = JSON.stringify(row).toLowerCase()
  texts.set(row, text)
  return text
}

/** Whose data the service has, and whose was erased. */
export class People {
  /** The mailboxes of people who were erased and have not come back. */
  readonly #erased = new Set<string>()
  /** The mailbox in whose name each key was made: it is gone from the key of a person who was erased. */
  readonly #mailboxes = new Map<KeyId, string>()

  /** The keys that are nobody's any more: to erase one again is to erase nobody. */
  readonly #erasedKeys = new Set<KeyId>()

  /** Notes what a task has just committed. Returns the keys that it erased. */
  committed({ brings, erases, made }: Task): ReadonlyArray<KeyId> {
    if (brings !== undefined) this.#erased.delete(brings)
    if (erases === undefined || !made.includes("erasure") || this.#erasedKeys.has(erases)) return []
    const mailbox = this.#mailboxes.get(erases)
    if (mailbox === undefined) return []
    this.#erased.add(mailbox)
    const keys = [...this.#mailboxes].filter(([, other]) => other === mailbox).map(([id]) => id)
    for (const key of keys) this.#erasedKeys.add(key)
    return keys
  }

  /** The mailbox in whose name a key was made. */
  mailboxOf({ id, owner }: ApiKey): string {
    const mailbox = this.#mailboxes.get(id) ?? mailboxOf(owner.email)
    this.#mailboxes.set(id, mailbox)
    return mailbox
  }

  /** Nothing in any table tells of a person who was erased. */
  check(tables: ReadonlyArray<ReadonlyMap<string, unknown>>): void {
    const wanted = [...this.#erased].flatMap((mailbox) => traces.get(mailbox) ?? [])
    if (wanted.length === 0) return
    for (const table of tables) {
      for (const [key, row] of table) {
        const text = `${key.toLowerCase()} ${textOf(row)}`
        const found = wanted.find((trace) => text.includes(trace))
        hold(found === undefined, `“${found}” was erased, and is there: ${text}`)
      }
    }
  }
}
