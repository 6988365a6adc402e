import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { EmailAddress, normalized } from "../../src/keys/ApiKey.ts"
import { asciiHost, mailboxOf } from "../../src/keys/Mailbox.ts"

/** Spellings by which mail reaches one mailbox, below its normal form. */
const spellings: Readonly<Record<string, ReadonlyArray<string>>> = {
  "ada@example.com": ["ada@example.com", "Ada@EXAMPLE.com", "ada+1@example.com", "ada+1+2@example.com"],
  "a.da@example.com": ["a.da@example.com"],
  "adalovelace@gmail.com": ["ada.lovelace@gmail.com", "AdaLovelace+x@googlemail.com", "a.d.a.lovelace@GMAIL.com"],
  "ada@proton.me": ["a.da@protonmail.com", "ada@pm.me", "ada@proton.me"],
  "ada@icloud.com": ["ada@me.com", "ada@mac.com"],
  "+1@example.com": ["+1@example.com", "+1+2@example.com"],
  "eva@xn--bcher-kva.example": [
    "eva@b\u00FCcher.example",
    "eva@bu\u0308cher.example",
    "eva@B\u00DCCHER.example",
    "eva@xn--bcher-kva.example",
    "eva@\uFF42\u00FCcher.example"
  ],
  "eva@xn--strae-oqa.example": ["eva@stra\u00DFe.example"],
  // Addresses stored before they were refused must not get lost.
  "a@b..c": ["a@b..c", "A+1@b..c"]
}

describe("a mailbox", () => {
  for (const [mailbox, addresses] of Object.entries(spellings)) {
    it(`${mailbox} has one normal form for all spellings`, () => {
      for (const address of [...addresses, mailbox]) assert.strictEqual(mailboxOf(address), mailbox, address)
    })
  }
})

describe("a host", () => {
  const label = (length: number) => "x".repeat(length)

  it("has labels of up to 63 characters, and up to 253 in total", () => {
    const longest = [63, 63, 63, 61].map(label).join(".")
    for (const host of [`${label(63)}.example`, longest]) assert.strictEqual(asciiHost(host), host)
    for (const host of [`${label(64)}.example`, `a.${label(64)}`, `${longest}x`]) assert.isUndefined(asciiHost(host))
  })

  it("is not an IP address in any notation, but may have digits and whole labels of them", () => {
    for (const host of ["1.2.3.44", "127.1", "2130706433", "0x7f000001", "[::1]:x", "a b", ""]) {
      assert.isUndefined(asciiHost(host), host)
    }
    for (const host of ["a.1.example", "example.4ever", "example.x1", "1.example"]) {
      assert.strictEqual(asciiHost(host), host)
    }
  })
})

describe("an address", () => {
  const isAddress = Schema.is(EmailAddress)
  const long = "x".repeat(64)

  it("needs a valid host", () => {
    for (const refused of ["a@b..c", "a@b.-", `a@${long}.example`, "a@1.2.3.4", "a@example.123"]) {
      assert.isFalse(isAddress(refused), refused)
    }
    for (const accepted of ["a@localhost", "a@b.c", "a@b\u00FCcher.example", "a+b@xn--bcher-kva.example"]) {
      assert.isTrue(isAddress(accepted), accepted)
    }
  })

  it("is kept as it was typed, except for the case of its host", () => {
    const { email } = normalized({ name: "Ada", email: "Ada.L+x@Example.COM", company: "Example" })
    assert.strictEqual(email, "Ada.L+x@example.com")
  })
})
