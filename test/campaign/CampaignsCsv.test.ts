import { assert, describe, it } from "@effect/vitest"
import { csv, errorsOf, json, readAs } from "../support/ReadCampaigns.ts"

const header = "name,emails_sent,reply_rate,positive_reply_rate,meeting_booking_rate,close_rate"
const evidence = "reply_rate_observed,reply_rate_out_of"

describe("readCampaignsCsv", () => {
  it("reads the same as from JSON, to the digit, with evidence, and with columns in any order", () => {
    const campaign = {
      emails_sent: 5000,
      reply_rate: 5.1,
      positive_reply_rate: 30,
      meeting_booking_rate: 20,
      close_rate: 25
    }
    const same = json({
      campaigns: [
        { name: "A, B", ...campaign, evidence: { reply_rate: { observed: 31, out_of: 800 } } },
        { ...campaign, emails_sent: 1e6 }
      ]
    })
    for (const text of [
      `${header},${evidence}\n"A, B",5000,5.10,30,20,25,31,800\n,1e6,5.1,30,20,25,,\n`,
      `\uFEFF${evidence},name,${header.slice(5)}\r\n31,800,"A, B", 5000 ,+5.1,30,20,25\r\n\r\n,,,1000000,05.1,30,20,"25"`,
      `${header};${evidence}`.replaceAll(",", ";") + "\nA, B;5000;5.1;30;20;25;31;800\n;1000000;5.1;30;20;25;;",
      `name,emailsSent,replyRate,positiveReplyRate,meetingBookingRate,closeRate,${evidence},\n"A, B",5000,5.1,30,20,25,31,800,\n,1000000,5.1,30,20,25\n,,,,,,,,`
    ]) {
      assert.deepStrictEqual(readAs(csv(text)), readAs(same), text)
    }
  })

  for (const [what, text, expected] of [
    ["nothing", "", [" invalid_format: is empty; send a header line and a line for each campaign"]],
    ["a header alone", header, ["/campaigns out_of_range: must have 1 to 1,000 campaigns, not 0"]],
    [
      "1,001 lines",
      header + "\nA,5000,5,30,20,25".repeat(1001),
      ["/campaigns out_of_range: must have 1 to 1,000 campaigns, not 1,001"]
    ],
    [
      "no header",
      "A,5000,5,30,20,25",
      [" invalid_format: must start with a header line that names the fields, like name,emails_sent,reply_rate,…"]
    ],
    [
      "a missing column, once",
      `${header.replace("reply_rate,", "")}\nA,5000,30,20,25\nB,5000,30,20,250`,
      [
        "/campaigns/0/reply_rate required: is required, but the header has no such column (line 1, column reply_rate)",
        "/campaigns/1/close_rate out_of_range: must be at most 100 (line 3, column close_rate)"
      ]
    ],
    [
      "a column that is not known, once",
      `${header},open_rate\nA,5000,5,30,20,25,40\nB,5000,5,30,20,25,40`,
      [
        "/campaigns/0/open_rate unknown_field: is not a known field; leave it out: opens bring no client, and reply_rate counts per email, not per open (line 1, column open_rate)"
      ]
    ],
    [
      "a column twice",
      `${header},replyRate\nA,5000,5,30,20,25,6`,
      [
        "/campaigns/0/reply_rate duplicate_field: is the same field as an earlier column; keep one of them (line 1, column replyRate)"
      ]
    ],
    [
      "what is no number, and empty cells",
      `${header}\n"A\nA",5000,5%,"1,5",,25`,
      [
        "/campaigns/0/reply_rate wrong_type: must be a number such as 2500 or 5.5, and nothing else (line 2, column reply_rate)",
        "/campaigns/0/positive_reply_rate wrong_type: must be a number such as 2500 or 5.5, and nothing else (line 2, column positive_reply_rate)",
        "/campaigns/0/meeting_booking_rate required: is required (line 2, column meeting_booking_rate)",
        "/campaigns/0/name invalid_format: must not contain line breaks, tabs or other control characters (line 2, column name)"
      ]
    ],
    [
      "half of an evidence, and more observed than tried",
      `${header},${evidence}\nA,5000,5,30,20,25,31,\nB,5000,5,30,20,25,31,30`,
      [
        "/campaigns/0/evidence/reply_rate/out_of required: is required (line 2, column reply_rate_out_of)",
        "/campaigns/1/evidence/reply_rate/observed out_of_range: must be at most out_of (line 3, column reply_rate_observed)"
      ]
    ],
    [
      "evidence in its own column, even next to columns that have some",
      `${header},evidence,${evidence}\nA,5000,5,30,20,25,,31,800\nB,5000,5,30,20,25,31,31,800\nC,5000,5,30,20,25,31 of 800,,`,
      [
        "/campaigns/1/evidence wrong_type: is not a column; evidence is in columns such as reply_rate_observed and reply_rate_out_of (line 1, column evidence)"
      ]
    ],
    [
      "more cells than the header has, and a quote that is not closed",
      `${header}\nA,5000,5,30,20,25,1\nA,5000,5,30,20,"25`,
      [
        "/campaigns/0 invalid_format: has a value in cell 7, but the header has no name for that column (line 2)",
        "/campaigns/1 invalid_format: has a quote that is not closed (line 3)"
      ]
    ],
    [
      "two of one name",
      `${header}\nA,5000,5,30,20,25\nA,5000,5,30,20,25`,
      [
        "/campaigns/1/name duplicate_field: is also the name of the campaign on line 2; give each campaign a name of its own, or none (line 3, column name)"
      ]
    ],
    ["another encoding", "name\uFFFD", [" invalid_format: is not UTF-8 text; save the spreadsheet as CSV UTF-8"]]
  ] as const) {
    it(`refuses ${what}`, () => assert.sameMembers([...errorsOf(csv(text))], [...expected]))
  }
})
