import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { csv, errorsOf } from "../support/ReadCampaigns.ts"

describe("campaigns in CSV", () => {
  const header = "name,emails_sent,reply_rate,positive_reply_rate,meeting_booking_rate,close_rate"

  it("accept numbers in any valid form, and refuse everything else", () => {
    for (const number of ["5", "5.0", "5.", "+5", "0.5e1", "5E+0", "50e-1", "500e-02", "0.05E+02", " 5 "]) {
      const [campaign] = Result.getOrThrow(csv(`${header}\nA,5000,${number},30,20,25`))
      assert.strictEqual(campaign?.reply_rate.value, 5n * 10n ** BigInt(campaign?.reply_rate.scale ?? 99), number)
    }
    for (const less of [".5", ".25"]) assert.deepStrictEqual(errorsOf(csv(`${header}\nA,5000,${less},30,20,25`)), [])
    for (const none of ["5,0", "5%", "five", "1e", "e5", "--5", "0x5", "5.5.5", ".", "5e1.5"]) {
      assert.deepStrictEqual(
        errorsOf(csv(`${header}\nA,5000,"${none}",30,20,25`)),
        [
          "/campaigns/0/reply_rate wrong_type: must be a number such as 2500 or 5.5, and nothing else (line 2, column reply_rate)"
        ],
        none
      )
    }
  })

  it("refuse numbers whose thousands may be separated, but not rates", () => {
    const semicolons = header.replaceAll(",", ";")
    for (const [text, column] of [
      [`${semicolons}\nA;5.000;2,5;30;20;25`, "emails_sent"],
      [`${semicolons}\nA;5,000;2,5;30;20;25`, "emails_sent"],
      [`${header}\nA,5.000,2.5,30,20,25`, "emails_sent"],
      [`${semicolons};campaign_cost\nA;5000;2,5;30;20;25;1.200`, "campaign_cost"]
    ] as const) {
      assert.deepStrictEqual(errorsOf(csv(text)), [
        `/campaigns/0/${column} wrong_type: must be a number such as 2500 or 5.5, and nothing else (line 2, column ${column})`
      ])
    }
    assert.lengthOf(Result.getOrThrow(csv(`${header},campaign_cost\nA,5000,2.500,30,20,25,1.200`)), 1)
    assert.lengthOf(Result.getOrThrow(csv(`${semicolons}\nA;5000;2.500;30;20;2,500`)), 1)
  })

  it("are neither the total of the others nor their average", () => {
    const rows = `${header}\nA,5000,2,30,20,25\nB,4000,2,30,20,25`
    assert.deepStrictEqual(errorsOf(csv(`${rows}\nGrand total,9000,2,30,20,25`)), [
      "/campaigns/2 invalid_format: is the total of the others; leave it out (line 4)"
    ])
    assert.lengthOf(errorsOf(csv(`${rows}\n,9000,2,30,20,25`)), 1)
    assert.deepStrictEqual(errorsOf(csv(`${rows}\nAverage,4500,2,30,20,25`)), [
      "/campaigns/2 invalid_format: is the average of the others; leave it out (line 4)"
    ])
    assert.lengthOf(Result.getOrThrow(csv(`${rows}\n,8000,2,30,20,25`)), 3)
    assert.lengthOf(Result.getOrThrow(csv(`${rows}\nTotal,8000,2,30,20,25`)), 3)
    assert.lengthOf(Result.getOrThrow(csv(`${rows}\nAgencies,9000,2,30,20,25`)), 3)
  })

  it("may have a number as their name, or no name", () => {
    const text = `${header}\n 2026 ,5000,5,30,20,25\n  ,5000,5,30,20,25`
    assert.deepStrictEqual(
      Result.getOrThrow(csv(text)).map(({ name }) => name),
      ["2026", undefined]
    )
  })

  it("are up to 1,000, under a header with spaces, without a column for names", () => {
    const text = `${header.slice(5).replaceAll(",", " , ")}${"\n5000,5,30,20,25".repeat(1000)}`
    assert.lengthOf(Result.getOrThrow(csv(text)), 1000)
  })

  it("report errors by line and column", () => {
    assert.deepStrictEqual(errorsOf(csv(`${header}\nA,5000,101,30,20,25\nB,5000,101,30,20,25`)), [
      "/campaigns/0/reply_rate out_of_range: must be at most 100 (line 2, column reply_rate)",
      "/campaigns/1/reply_rate out_of_range: must be at most 100 (line 3, column reply_rate)"
    ])
    // A repeated column may be empty.
    assert.deepStrictEqual(errorsOf(csv(`${header},replyRate\nA,5000,,30,20,25,`)), [
      "/campaigns/0/reply_rate duplicate_field: is the same field as an earlier column; keep one of them (line 1, column replyRate)",
      "/campaigns/0/reply_rate required: is required (line 2, column reply_rate)"
    ])
  })

  it("have each column once, and report a long name by its first 100 characters", () => {
    const long = "x".repeat(101)
    assert.match(
      errorsOf(csv(`${header},${long},${long}\nA,5000,5,30,20,25`))[0] ?? "",
      /^\/campaigns\/0\/x{100} duplicate_field: .* \(line 1, column x{100}\)$/
    )
    assert.match(
      errorsOf(csv(`${header},${long}\nA,5000,5,30,20,25,1`)).join(),
      /unknown_field: .* \(line 1, column x{100}\)$/
    )
    assert.match(
      errorsOf(csv(`${header},reply_rate_seen\nA,5000,5,30,20,25,1`)).join(),
      /reply_rate_seen unknown_field/
    )
  })

  it("may have unnamed columns if all their cells are empty", () => {
    assert.deepStrictEqual(errorsOf(csv(`${header},,\nA,5000,5,30,20,25, ,\nB,5000,5,30,20,25`)), [])
    assert.deepStrictEqual(errorsOf(csv(`${header},,\nA,5000,5,30,20,25,,1`)), [
      "/campaigns/0 invalid_format: has a value in cell 8, but the header has no name for that column (line 2)"
    ])
    assert.deepStrictEqual(errorsOf(csv(`,${header}\n,A,5000,5,30,20,25\nx,B,5000,5,30,20,25`)), [
      "/campaigns/1 invalid_format: has a value in cell 1, but the header has no name for that column (line 3)"
    ])
  })

  it("must start with a readable header", () => {
    assert.deepStrictEqual(errorsOf(csv('"name\nA')), [" invalid_format: has a quote that is not closed (line 1)"])
    assert.match(
      errorsOf(csv("name\nA"))[0] ?? "",
      /emails_sent required: is required, but the header has no such column/
    )
    assert.match(errorsOf(csv("seen,x\n1,2")).join(), /must start with a header line/)
  })
})
