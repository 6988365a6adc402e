import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { importFile, importText } from "../../src/calculator/history/importTable.ts"
import { type Choices, type PastTable, readPastTable } from "../../src/calculator/history/PastTable.ts"
import { readForm } from "../../src/calculator/readForm.ts"
import { sampleValues } from "../support/Samples.ts"

const campaign = readForm(sampleValues).input?.first.assumptions ?? {}

const table = (imported: ReturnType<typeof importText>, choices: Choices = {}): PastTable => {
  if ("refusal" in imported) throw new Error(imported.refusal)
  return readPastTable(imported.table, choices, { existing: [], campaign })
}

const file = (name: string) => importFile(new Uint8Array(readFileSync(new URL(`tables/${name}`, import.meta.url))))

const shortNames = {
  name: "",
  emails_sent: "sent",
  delivered: "delivered",
  replies: "replies",
  positive_replies: "positive",
  meetings: "meetings",
  meetings_held: "held",
  clients: "clients"
} as const

/** A reading as lines: its campaigns, what is said about columns and rows, and what is asked. */
const shown = ({ campaigns, columns, leftOut, notes, obstacle }: PastTable): ReadonlyArray<string> => [
  ...campaigns.map((each) =>
    Object.entries(each)
      .map(([name, value]) => `${value} ${Object.entries(shortNames).find(([long]) => long === name)?.[1]}`.trim())
      .join(", ")
  ),
  ...notes,
  ...columns.flatMap(({ why }) => why ?? []),
  ...leftOut.map(({ sentence }) => sentence),
  ...(obstacle === undefined ? [] : [`? ${obstacle}`])
]

const march = ["March, 4200 sent, 210 replies", "April, 3100 sent, 96 replies"]

/** Files as tools and people write them, and how they are understood. */
const files: { readonly [name: string]: ReadonlyArray<string> } = {
  "replies-as-percent.csv": [
    "EMEA founders, 4200 sent",
    "US agencies, 3100 sent",
    "DACH shops, 3600 sent",
    "“Replies” is not used: 5% is a rate. Give the number of replies.",
    "? Nothing can be learned yet: choose the columns of the counts, such as replies."
  ],
  "daily-rows-of-one-campaign.csv": [
    "Alpha, 1800 sent, 1779 delivered, 89 replies, 26 positive",
    "6 rows are added up, as they have the names of others: 1 campaign."
  ],
  "totals-row.csv": [
    "Agencies, 4200 sent, 210 replies, 58 positive",
    "Shops, 3100 sent, 96 replies, 24 positive",
    "Hotels, 3600 sent, 148 replies, 47 positive",
    "“Total” is left out: it is a total, not a campaign."
  ],
  "row-per-contact-with-counts.csv": [
    "177 sent, 2 replies",
    "59 rows are added up to one campaign.",
    "“Email” is not used: it has addresses, such as “p1@example.com”, not the number of emails sent.",
    "? Each row looks like one contact, not one campaign. Add them up?"
  ],
  "drafts-with-zero.csv": [
    "Agencies, 4200 sent, 210 replies",
    "Shops, 3100 sent, 96 replies",
    "“Campaign ID” is not used: “Campaign Name” is used for campaign.",
    "“Contacts Replied” is not used: “Replies” is used for replies.",
    "“Draft: hotels”, “Draft: schools” are left out: no emails were sent."
  ],
  "delivered-is-a-date.csv": [
    "Spring list A, 1240 sent, 31 replies",
    "Spring list B, 980 sent, 22 replies",
    "Summer list, 1510 sent, 40 replies",
    "“Subject” is not used: “Title” is used for campaign.",
    "“Delivered” is not used: it has dates, such as “Mar 04, 2026 09:12 am”, not the number of delivered.",
    "? “Recipients” counts contacts, not emails. How many emails did each contact get?"
  ],
  "missing-as-na-and-dash.csv": [
    "Hiring US, 1200 sent, 48 replies, 12 positive, 4 meetings",
    "Fundraising, 900 sent, 31 replies",
    "New leadership, 1100 sent, 40 replies",
    "Local, 800 sent, 25 replies, 9 positive"
  ],
  "count-with-percentage.csv": [
    "EMEA founders, 1240 sent, 1198 delivered, 56 replies",
    "US agencies, 980 sent, 941 delivered, 38 replies",
    "“Sequence” is not used: “Campaign” is used for campaign."
  ],
  "title-line.csv": [
    "Agencies Q4, 172 sent, 163 delivered, 45 replies, 38 positive",
    "Shops Q4, 240 sent, 228 delivered, 31 replies, 14 positive",
    "? “Contacted prospects” counts contacts, not emails. How many emails did each contact get?"
  ],
  "sep-line.csv": march,
  "sep-line-quoted.csv": march,
  "windows-1252.csv": ["Frühjahr Zürich, 4200 sent, 210 replies", "Été – café, 3100 sent, 96 replies"],
  "windows-1252-nbsp-thousands.csv": ["Été, 4200 sent, 210 replies", "Hiver, 12000 sent, 96 replies"],
  "pipe-delimited.csv": march,
  "hidden-characters.csv": ["Agencies, 4200 sent, 210 replies", "Shops, 3100 sent, 96 replies"],
  "delivered-above-contacted.csv": [
    "EMEA founders, 812 sent, 41 replies, 17 positive, 6 meetings",
    "US agencies, 1190 sent, 38 replies, 12 positive, 4 meetings",
    "Delivered are not used: in “EMEA founders” more emails were delivered than contacts reached.",
    "? “Contacted” counts contacts, not emails. How many emails did each contact get?"
  ],
  "nothing-to-learn-after-adding.csv": [
    "Spring, 1200 sent, 48 replies, 4 meetings",
    "Summer, 1100 sent, 40 replies, 5 meetings",
    "“Contacts messaged” is not used: “Messages sent” is used for emails sent."
  ],
  "total-emails-total-replies.csv": [
    "101, 4200 sent, 210 replies, 58 positive",
    "102, 3100 sent, 96 replies, 24 positive"
  ],
  "outreach-sent-calls-booked.csv": [
    "Spring, 1200 sent, 48 replies, 12 positive, 4 meetings",
    "Summer, 1100 sent, 40 replies, 11 positive, 5 meetings"
  ],
  "emailed.csv": [
    "Spring, 400 sent, 390 delivered, 48 replies, 12 positive",
    "Summer, 380 sent, 372 delivered, 40 replies, 11 positive"
  ],
  "dot-thousands.csv": ["März, 4200 sent, 210 replies", "April, 5000 sent, 96 replies", "Mai, 12500 sent, 1148 replies"]
}

describe("a file with past campaigns", () => {
  for (const [name, expected] of Object.entries(files)) {
    it(`is understood if it is like ${name}`, async () =>
      assert.deepStrictEqual(shown(table(await file(name))), expected))
  }

  it("is refused in words if it is a workbook that cannot be opened", async () =>
    assert.deepStrictEqual(await file("workbook.xlsx"), {
      refusal:
        "This looks like an Excel workbook, but it cannot be opened: open it in Excel, save it as CSV UTF-8, and choose that file."
    }))
})

describe("a table with past campaigns", () => {
  it("gives at most the last 100 of its campaigns", () => {
    const rows = Array.from({ length: 137 }, (_, place) => `C${place},${1000 + place},30`)
    const { campaigns, notes } = table(importText(`Campaign,Emails sent,Replies\n${rows.join("\n")}`))
    assert.strictEqual(campaigns.length, 100)
    assert.deepStrictEqual(campaigns[0], { name: "C37", emails_sent: 1037, replies: 30 })
    assert.deepStrictEqual(notes, ["137 campaigns found: the last 100 are taken, as there can be at most 100."])
  })
})
