import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { normalized, Owner } from "../../src/keys/ApiKey.ts"

const ada = { name: "Ada", email: "ada@example.com", company: "Example" }

const decode = Schema.decodeUnknownResult(Owner)

/** The errors of an owner, or nothing if it is accepted. */
const refusalOf = (fields: Readonly<Record<string, unknown>>): string => {
  const decoded = decode({ ...ada, ...fields })
  return Result.isFailure(decoded) ? String(decoded.failure) : ""
}

const letters = (count: number) => "a".repeat(count)
const label = `${letters(60)}.`

/** Addresses, below a description of them. */
const refused: Readonly<Record<string, ReadonlyArray<string>>> = {
  "must be an address like ada@example.com": [
    "",
    "ada",
    "@example.com",
    "ada@",
    "ada@@example.com",
    ".ada@example.com",
    "ada.@example.com",
    "a..da@example.com",
    "a da@example.com",
    "ada@exa mple.com",
    "ada@-example.com",
    "ada@example.com.",
    "ada@example.com\n",
    "\nada@example.com",
    '"ada"@example.com',
    "ada(x)@example.com",
    "Ada <ada@example.com>",
    "ada@example.com,bob@example.com",
    "\u00E4da@example.com"
  ],
  "must have a host after the @, like ada@example.com": ["ada@example..com", `ada@${letters(64)}.com`, "ada@127.0.0.1"],
  "must have at most 254 characters": [`${letters(50)}@${label.repeat(4)}${letters(60)}`.slice(0, 255)]
}

const accepted = [
  "a@b",
  "Ada.Love-Lace+tag@Example.Com",
  "!#$%&'*+/=?^_`{|}~-@example.com",
  "1@2.example",
  "a@x-y.example",
  "a@b\u00FCcher.example",
  "a@\u0939\u093F\u0928\u094D\u0926\u0940.example",
  `${letters(50)}@${label.repeat(3)}${letters(20)}`,
  `${letters(64)}@${label.repeat(3)}${letters(6)}`
]

describe("the owner of a key", () => {
  for (const [why, addresses] of Object.entries(refused)) {
    it(`is refused: the address ${why}`, () => {
      for (const email of addresses) {
        assert.include(refusalOf({ email }), why, JSON.stringify(email))
      }
    })
  }

  it("may have any other address", () => {
    for (const email of accepted) assert.strictEqual(refusalOf({ email }), "", email)
  })

  it("has names that are visible, and can be stored and mailed", () => {
    for (const field of ["name", "company"]) {
      for (const blank of ["", " ", "\t\n", "\u200B", "\u00A0"]) {
        assert.include(refusalOf({ [field]: blank }), "must not be empty", JSON.stringify(blank))
      }
      assert.include(refusalOf({ [field]: "a\u0000" }), "must not contain NUL")
      assert.include(refusalOf({ [field]: letters(201) }), "must have at most 200 characters")
      for (const name of [letters(200), "7", "?", "+", "\u0905", "\u{1F600}", "O'Neil & S\u00F6hne <x>"]) {
        assert.strictEqual(refusalOf({ [field]: name }), "", name)
      }
    }
  })

  it("is stored without spaces around the names, and with the host in lower case", () => {
    assert.deepStrictEqual(normalized({ name: "  Ada L. ", email: "Ada@EXAMPLE.Com", company: "\tExample Ltd\n" }), {
      name: "Ada L.",
      email: "Ada@example.com",
      company: "Example Ltd"
    })
  })
})
