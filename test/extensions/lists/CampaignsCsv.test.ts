import { assert, describe, it } from "@effect/vitest"
import { csv, errorsOf, json, listedFields, readAs } from "../support/ReadCampaigns.ts"

const header = "name,emails_sent,reply_rate,positive_reply_rate,meeting_booking_rate,close_rate"

describe("readCampaignsCsv", () => {
  it("reads the same as from JSON, to the digit, with columns in any order", () => {
    const campaign = {
      emails_sent: 5000,
      reply_rate: 5.1,
      positive_reply_rate: 30,
      meeting_booking_rate: 20,
      close_rate: 25
    }
    const same = json({
      campaigns: [
        { name: "A, B", ...campaign },
        { ...campaign, emails_sent: 1e6 }
      ]
    })
    for (const text of [
      `${header}\n"A, B",5000,5.10,30,20,25\n,1e6,5.1,30,20,25\n`,
      `\uFEFFclose_rate,name,${header.slice(5, -11)}\r\n25,"A, B", 5000 ,+5.1,30,20\r\n\r\n"25",,1000000,05.1,30,20`,
      header.replaceAll(",", ";") + "\nA, B;5000;5,1;30;20;25\n;1000000;5.1;30;20;25",
      `\uFEFFsep=;\r\n${header.replaceAll(",", ";")}\r\nA, B;5000;5,1;30;20;25\r\n;1000000;5.1;30;20;25`,
      header.replaceAll(",", "|") + "\nA, B|5000\u200B|\u200E5,1|30|20|25\n|1000000|5.1|30|20|25",
      `name,emailsSent,replyRate,positiveReplyRate,meetingBookingRate,closeRate,\n"A, B",5000,5.1,30,20,25,\n,1000000,5.1,30,20,25\n,,,,,,`,
      `${header}\n"A, B",5000,5.1,30,20,25\n"","","","","",""\n,1000000,5.1,30,20,25`
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
      "a file whose line breaks curl removed",
      `${header}A,5000,5,30,20,25B,5000,5,30,20,25`,
      [
        " invalid_format: has no line breaks: curl removes them with -d; send the file with --data-binary @campaigns.csv"
      ]
    ],
    [
      "5,000, which may be 5 or 5000",
      `${header.replaceAll(",", ";")}\nA;5,000;5,125;30;20;25`,
      [
        "/campaigns/0/emails_sent wrong_type: must be a number such as 2500 or 5.5, and nothing else (line 2, column emails_sent)"
      ]
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
      "a column whose name has a slash, by that name",
      `${header},cost/lead\nA,5000,5,30,20,25,3`,
      [
        `/campaigns/0/cost~1lead unknown_field: is not a known field; the fields are ${listedFields} (line 1, column cost/lead)`
      ]
    ],
    [
      "columns of evidence, which was removed",
      `${header},evidence\nA,5000,5,30,20,25,1`,
      [
        '/campaigns/0/evidence unknown_field: is not a known field; put past campaigns into history, like [{"emails_sent":800,"replies":31}]; send the results of this one to POST /api/v1/progress, like "so_far": {"emails_sent":800,"replies":31} (line 1, column evidence)'
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

  // With every way to split them, these digits take longer than a test may.
  it("reads a number of very many digits once", () => {
    const errors = errorsOf(csv(`${header}\nA,${"2".repeat(500_000)}x,5,30,20,25`))
    assert.deepStrictEqual(
      [...errors],
      [
        "/campaigns/0/emails_sent wrong_type: must be a number such as 2500 or 5.5, and nothing else (line 2, column emails_sent)"
      ]
    )
  })
})
