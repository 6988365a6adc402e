import type { Owner } from "../../src/keys/ApiKey.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { mailboxOf } from "../../src/keys/Mailbox.ts"

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

/** The owners who request keys and order: each person under each spelling of their mailbox. */
export const owners: ReadonlyArray<Owner> = people.flatMap(({ addresses, company, name }) =>
  addresses.map((email) => ({ name, email, company }))
)

/** The texts that identify a person, in lower case, by mailbox. */
const traces = new Map(
  people.map(({ addresses, company, name }) => [
    mailboxOf(addresses[0] ?? ""),
    [name, company, ...addresses].map((text) => text.toLowerCase())
  ])
)

/** The people whose data the service has, and those whose data was erased. */
export class People {
  /** The mailboxes of people who were erased and have not returned. */
  readonly #erased = new Set<string>()
  /** The mailbox that each key was issued to; the key of an erased person no longer has it. */
  readonly #mailboxes = new Map<KeyId, string>()

  /** The erased keys: erasing one again erases nobody. */
  readonly #erasedKeys = new Set<KeyId>()

  /** Records that the person with this mailbox has provided their data again. */
  comeBack(mailbox: string): void {
    this.#erased.delete(mailbox)
  }

  /** Records which keys are erased. Returns all keys of the owners of those that were not erased before. */
  erase(keys: ReadonlyArray<KeyId>): ReadonlyArray<KeyId> {
    return keys.flatMap((key) => {
      const mailbox = this.#mailboxes.get(key)
      if (mailbox === undefined || this.#erasedKeys.has(key)) return []
      this.#erased.add(mailbox)
      const all = [...this.#mailboxes].filter(([, other]) => other === mailbox).map(([id]) => id)
      for (const each of all) this.#erasedKeys.add(each)
      return all
    })
  }

  /** The mailbox that a key was issued to, even after its address has been erased. */
  mailboxOf(id: KeyId, email: string): string {
    const mailbox = this.#mailboxes.get(id) ?? mailboxOf(email)
    this.#mailboxes.set(id, mailbox)
    return mailbox
  }

  /** The names and addresses of the people who were erased, in lower case. */
  get erasedTraces(): ReadonlyArray<string> {
    return [...this.#erased].flatMap((mailbox) => traces.get(mailbox) ?? [])
  }
}
