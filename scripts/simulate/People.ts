import type { Owner } from "../../src/keys/ApiKey.ts"

interface Person {
  readonly name: string
  readonly company: string
  readonly addresses: ReadonlyArray<string>
}

/** Three people, two of them with several spellings of their mailbox. */
export const people: ReadonlyArray<Person> = [
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
