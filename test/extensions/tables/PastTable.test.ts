import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate"
import { countNames } from "../../../src/campaign/Rates.ts"
import { amountNamed, currencyIn, rateNamed, recognize } from "../../../src/extensions/tables/ColumnNames.ts"
import type { Counts } from "../../../src/extensions/tables/CampaignRows.ts"
import { columnOf, importFile, importText } from "../../../src/extensions/tables/importTable.ts"
import { type Choices, type PastTable, readPastTable } from "../../../src/extensions/tables/PastTable.ts"
import { rowRules } from "../../../src/extensions/tables/RowRules.ts"
import { readForm } from "../../../src/extensions/calculator/readForm.ts"
import { sampleValues } from "../support/sampleValues.ts"

const campaign = readForm(sampleValues).input?.first.assumptions ?? {}

const table = (imported: ReturnType<typeof importText>, choices: Choices = {}): PastTable => {
  if ("refusal" in imported) throw new Error(imported.refusal)
  return readPastTable(imported.table, choices, { existing: [], campaign })
}

const file = (name: string) => importFile(new Uint8Array(readFileSync(new URL(name, import.meta.url))))

const shortNames = {
  emails_sent: "sent",
  delivered: "delivered",
  replies: "replies",
  positive_replies: "positive",
  meetings: "meetings",
  meetings_held: "held",
  clients: "clients"
} as const

const countsOf = (counts: Counts, name: string | undefined) =>
  [
    ...(name === undefined ? [] : [name]),
    ...countNames.flatMap((count) => (counts[count] === undefined ? [] : [`${counts[count]} ${shortNames[count]}`]))
  ].join(", ")

/** Sentences about a table: what was done, columns and cells that are not used, questions, and why nothing can be added. */
const saidOf = ({ columns, leftOut, notes, obstacle, questions }: PastTable): ReadonlyArray<string> => [
  ...notes,
  ...columns.flatMap(({ why }) => why ?? []),
  ...leftOut,
  ...questions.map(({ sentence }) => `? ${sentence}`),
  ...(obstacle === undefined || questions.length > 0 ? [] : [`! ${obstacle}`])
]

/** A reading as lines: its campaigns, what is said, and the rows that are not ticked. */
const shown = (read: PastTable): ReadonlyArray<string> => [
  ...read.campaigns.map((campaign) => countsOf(campaign, campaign.name)),
  ...saidOf(read),
  ...read.rows.flatMap(({ reason, refusal, shown }) => {
    const why = refusal ?? reason
    return why === undefined ? [] : `${shown}: ${why}`
  })
]

/** The verdict on a file, to be read beside it: each row with its box, which is `[-]` where it cannot be ticked. */
const verdict = (read: PastTable): ReadonlyArray<string> => [
  ...read.rows.flatMap(({ counts, derived, isTicked, reason, refusal, shown }) => {
    const box = isTicked ? "[x]" : refusal === undefined ? "[ ]" : "[-]"
    const why = refusal ?? reason
    return [
      `${box} ${countsOf(counts, shown)}${why === undefined ? "" : ` (${why})`}`,
      ...Object.entries(derived).map(([count, how]) => `    ${count}: ${how}`)
    ]
  }),
  ...read.proposals.map(
    ({ amount, currency, field, sentence }) => `${field} = ${amount} ${currency ?? ""}: ${sentence}`
  ),
  ...read.suggestions.map(({ sentence }) => `(?) ${sentence}`),
  ...saidOf(read)
]

const isFileOfCorpus = (name: string) => /\.(?:csv|tsv|txt|xlsx|zip)$/.test(name) && !name.endsWith(".expected.txt")
const here = new URL("./", import.meta.url)

describe("a file with past campaigns", () => {
  for (const name of readdirSync(here).filter(isFileOfCorpus)) {
    it(`is understood if it is like ${name}`, async () => {
      const imported = await file(name)
      const lines = "refusal" in imported ? [imported.refusal] : [imported.note ?? "", ...verdict(table(imported))]
      const text = `${lines.filter((line) => line !== "").join("\n")}\n`
      const expected = new URL(name.replace(/\.\w+$/, ".expected.txt"), here)
      if (process.env["REWRITE"] === "1") writeFileSync(expected, text)
      assert.strictEqual(text, readFileSync(expected, "utf8"))
    })
  }
})

/** A workbook of one sheet, whose cells are text or numbers; `styles` are those of columns. */
const workbook = (rows: ReadonlyArray<string>, styles: ReadonlyArray<number>, hidden: ReadonlySet<number>) => {
  const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  const sheet = rows.map((row, index) => {
    const cells = row.split(",").map((text, column) => {
      const place = `r="${"ABCDE"[column]}${index + 1}" s="${styles[column] ?? 0}"`
      return /^\d/.test(text)
        ? `<c ${place}><v>${text}</v></c>`
        : `<c ${place} t="inlineStr"><is><t>${text}</t></is></c>`
    })
    return `<row r="${index + 1}"${hidden.has(index) ? ' hidden="1"' : ""}>${cells.join("")}<c r="G${index + 1}" s="1"/></row>`
  })
  const formatCodes = ["[$€-407] #,##0", "#,##0\\ _€", "[$-409]#,##0"]
  const formats = formatCodes.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`).join("")
  const files = {
    "_rels/.rels": `<Relationships><Relationship Id="a" Type="${types}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="b" Type="${types}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="c" Type="${types}/styles" Target="styles.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook><sheets><sheet name="Data" sheetId="1" r:id="b"/></sheets></workbook>`,
    "xl/styles.xml": `<styleSheet><numFmts>${formats}</numFmts><cellStyleXfs><xf numFmtId="164"/></cellStyleXfs><cellXfs><xf/><xf numFmtId="164"/><xf numFmtId="44"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs><dxfs><dxf><numFmt numFmtId="166" formatCode="€0"/></dxf></dxfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${sheet.join("")}</sheetData></worksheet>`
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
}

it("takes no totals and no figures of others for campaigns, however they are called", () => {
  const names = ["Total of all", "Campaigns total", "Competitor", "Market norm", "Typical agency", "Best case"]
  for (const name of names) {
    const read = table(importText(`Campaign,Sent,Replies\nAlpha,4200,210\nBeta,3100,96\n${name},5000,333`))
    assert.deepStrictEqual(
      read.rows.map(({ isTicked }) => isTicked),
      [true, true, false],
      name
    )
  }
  const honest = table(importText("Campaign,Sent,Replies\nAlpha,4200,210\nTotal Comfort,3100,96\nNormandy,5000,333"))
  assert.lengthOf(honest.campaigns, 3)
})

describe("a workbook with past campaigns", () => {
  const rows = ["Campaign,Sent,Replies,Won", "A,4200,210,25", "B,3100,96,5", "C,900,12,2"]

  it("is read without its hidden rows", async () => {
    const imported = await importFile(workbook(rows, [], new Set([2])))
    assert.deepStrictEqual(shown(table(imported)), [
      "A, 4200 sent, 210 replies, 25 clients",
      "C, 900 sent, 12 replies, 2 clients"
    ])
    assert.propertyVal(imported, "note", "Hidden rows of the workbook are left out: show them in Excel to use them.")
    assert.deepStrictEqual(await importFile(workbook(rows, [], new Set([1, 2, 3]))), {
      refusal:
        "There are no rows below the names of the columns. Hidden rows of the workbook are left out: show them in Excel to use them."
    })
  })

  it("has amounts of money where cells are formatted so", async () => {
    const euros = await importFile(workbook(rows, [0, 0, 0, 1], new Set()))
    const why = "“Won” is not used: it has amounts of money, such as “€25”, not the number of clients."
    assert.include(shown(table(euros)), why)
    assert.include(shown(table(euros)), "A, 4200 sent, 210 replies")
    const local = await importFile(workbook(rows, [0, 0, 0, 2], new Set()))
    assert.include(shown(table(local)), "A, 4200 sent, 210 replies")
  })

  it("has counts where a format has a space as wide as a currency, or a language", async () => {
    const counts = await importFile(workbook(rows, [0, 3, 4, 4], new Set()))
    assert.include(shown(table(counts)), "A, 4200 sent, 210 replies, 25 clients")
  })
})

/** A workbook of the corpus with some of its XML replaced. */
const changed = (name: string, path: string, change: (xml: string) => string) => {
  const files = unzipSync(new Uint8Array(readFileSync(new URL(name, import.meta.url))))
  return zipSync({ ...files, [path]: strToU8(change(strFromU8(files[path] ?? new Uint8Array()))) })
}

describe("a workbook that hides some of its cells", () => {
  const sheet = "xl/worksheets/sheet1.xml"

  it("is refused where a cell is far from the table, or where it is too large, and read where rows are empty", async () => {
    const inSheet = (rows: string) =>
      changed("hidden-column.xlsx", sheet, (xml) => xml.replace("</sheetData>", `${rows}</sheetData>`))
    for (const far of [
      '<row r="1048576"><c r="A1048576"><v>1</v></c></row>',
      '<row r="9"><c r="XFD9"><v>1</v></c></row>',
      `<!--${" ".repeat(50_000_000)}-->`
    ]) {
      const imported = await importFile(inSheet(far))
      assert.include("refusal" in imported ? imported.refusal : "", "This workbook is too large")
    }
    const formatted = Array.from({ length: 30_000 }, (_, index) => `<row r="${index + 100}" ht="15"/>`).join("")
    assert.include(shown(table(await importFile(inSheet(formatted)))), "A, 4200 sent, 210 replies")
  })

  // Hours, if each of them were searched to the end of the sheet.
  it("is read once, however many elements and tags are not closed", async () => {
    for (const unclosed of ['<row ht="15">', '<c s="1">', '<x:row ht="15">', '<cols a="1">', "<row ht", "<c s"]) {
      const broken = changed("hidden-column.xlsx", sheet, (xml) =>
        xml.replace("<sheetData>", `${unclosed.repeat(500_000)}<sheetData>`)
      )
      const imported = await importFile(broken)
      assert.include("refusal" in imported ? imported.refusal : "", "cannot be opened", unclosed)
    }
  })

  // A minute, if each of these brackets were searched to the end of the format.
  it("has formats that are read once, however many brackets are not closed", async () => {
    const formats = `<numFmts><numFmt numFmtId="200" formatCode="${"[$-".repeat(200_000)}"/></numFmts>`
    const odd = changed("hidden-column.xlsx", "xl/styles.xml", (xml) =>
      xml.replace(/<styleSheet[^>]*>/, (tag) => tag + formats)
    )
    const usual = changed("hidden-column.xlsx", sheet, (xml) => xml)
    assert.deepStrictEqual(shown(table(await importFile(odd))), shown(table(await importFile(usual))))
  })

  it("is read without columns that have no width", async () => {
    const narrow = changed("hidden-column.xlsx", sheet, (xml) => xml.replace('hidden="1" width="13"', 'width="0"'))
    assert.include(shown(table(await importFile(narrow))), "A, 4200 sent, 210 replies")
    const wide = changed("hidden-column.xlsx", sheet, (xml) => xml.replace('hidden="1" ', ""))
    assert.lengthOf(table(await importFile(wide)).questions, 1)
  })

  it("says that formulas have no values", async () => {
    const formulas = changed("hidden-column.xlsx", sheet, (xml) => xml.replace("<v>210</v>", "<f>B2/20</f>"))
    const imported = await importFile(formulas)
    assert.notInclude(shown(table(imported)), "A, 4200 sent, 210 replies")
    assert.include("note" in imported ? imported.note : "", "Some formulas of the workbook have no values")
  })

  it("has the sheet that is chosen, and never one that is hidden", async () => {
    const bytes = new Uint8Array(readFileSync(new URL("a-sheet-for-each-month.xlsx", import.meta.url)))
    const months = await importFile(bytes)
    assert.deepInclude(months, { sheet: "Jan", sheets: ["Jan", "Feb", "Mar"] })
    const [january, february] = [table(months), table(await importFile(bytes, "Feb"))]
    assert.notDeepEqual(january.campaigns, february.campaigns)
    const hidden = changed("a-sheet-for-each-month.xlsx", "xl/workbook.xml", (xml) =>
      xml.replace('state="visible"', 'state="veryHidden"')
    )
    assert.deepInclude(await importFile(hidden), { sheet: "Feb", sheets: ["Feb", "Mar"] })
  })
})

describe("names of columns", () => {
  it("are the same in capitals, and with any sign between their words", () => {
    for (const name of ["E-mails sent", "Positive replies", "Reply count", "Meetings booked", "Emails delivered"]) {
      for (const sign of [" ", "-", "–", "_"]) {
        for (const written of [name, name.toUpperCase(), name.toLowerCase()].map((each) =>
          each.replaceAll(" ", sign)
        )) {
          assert.strictEqual(recognize(written)?.column, recognize(name)?.column, written)
          assert.isDefined(recognize(written), written)
        }
      }
    }
    for (const [name, column] of [
      ["deliverCount", "delivered"],
      ["DELIVER_COUNT", "delivered"],
      ["Delivers", "delivered"],
      ["Outbound emails", "emails_sent"],
      ["Verschickte E-Mails", "emails_sent"],
      ["Anzahl gesendeter E-Mails", "emails_sent"],
      ["Verstuurde e-mails", "emails_sent"],
      ["sentEMails", "emails_sent"],
      ["E MAILS SENT", "emails_sent"],
      ["Sum of Sent", "emails_sent"],
      ["stats.reply_count", "replies"],
      ["campaign.stats.sent", "emails_sent"],
      ["Replies (actual)", "replies"],
      ["Replies (plan)", undefined],
      ["Responses in Campaign", "replies"],
      ["Leads in Campaign", undefined],
      ["Durchgeführte Termine", "meetings_held"],
      ["Rendez-vous honorés", "meetings_held"],
      ["Reuniões marcadas", "meetings"],
      ["Negócios fechados", "clients"],
      ["Pozyskani klienci", "clients"],
      // Deals that are lost are closed, too.
      ["Fechados", undefined]
    ] as const) {
      assert.strictEqual(recognize(name)?.column, column, name)
    }
  })

  it("say what rates lead to, and what they are of", () => {
    for (const [name, count, base] of [
      ["Reply rate", "replies", undefined],
      ["% replied", "replies", undefined],
      ["Antwortquote", "replies", undefined],
      ["Taux de réponse", "replies", undefined],
      ["Positive replies (% of replies)", "positive_replies", "replies"],
      ["Reply-to-meeting rate", "meetings", "replies"],
      ["Booking rate", "meetings", undefined],
      ["Abschlussquote", "clients", undefined],
      ["Email reply rate", "replies", undefined],
      ["Close rate", "clients", undefined],
      ["Show rate", "meetings_held", undefined]
    ] as const) {
      const { base: its, count: leads } = rateNamed(name) ?? {}
      assert.deepStrictEqual([leads, its], [count, base], name)
    }
    for (const name of ["Open rate", "Conversion rate", "Bounce rate", "Rate"])
      assert.isUndefined(rateNamed(name), name)
  })

  it("say which amounts are revenue, deal values or costs, and their currency", () => {
    for (const [name, amount, currency] of [
      ["Revenue (EUR)", "revenue", "EUR"],
      ["$ Won", "revenue", "USD"],
      ["Avg. deal value", "deal_value", undefined],
      ["Total spend £", "spend", "GBP"],
      ["Kosten", "spend", undefined],
      ["Chiffre d'affaires", "revenue", undefined],
      ["Cost per lead", undefined, undefined],
      ["Pipeline value", undefined, undefined],
      ["Won", undefined, undefined]
    ] as const) {
      assert.deepStrictEqual([amountNamed(name, false), currencyIn(name)], [amount, currency], name)
    }
    assert.strictEqual(amountNamed("Sales", true), "revenue")
  })
})

describe("a table with past campaigns", () => {
  const text = (rows: ReadonlyArray<string>) => table(importText(rows.join("\n")))
  const read = (rows: ReadonlyArray<string>, choices: Choices) => table(importText(rows.join("\n")), choices)

  it("gives at most 100 campaigns: the newest by date, else the last", () => {
    const rows = Array.from({ length: 137 }, (_, place) => `C${place},${1000 + place},30`)
    const last = text(["Campaign,Emails sent,Replies", ...rows])
    assert.deepStrictEqual([last.campaigns.length, last.campaigns[0]?.name], [100, "C37"])
    assert.deepStrictEqual(last.notes, ["137 campaigns found: the last 100 are ticked, as there can be at most 100."])
    const dated = rows.map((row, place) => `${row},${(place % 28) + 1}/${12 - (place % 12)}/2026`)
    const newest = text(["Campaign,Emails sent,Replies,Started", ...dated])
    assert.deepStrictEqual(newest.notes, [
      "137 campaigns found: the newest 100 are ticked, as there can be at most 100."
    ])
    // The day is first, as 28/5 has no month.
    assert.include(
      newest.campaigns.map(({ name }) => name),
      "C12"
    )
    assert.notInclude(
      newest.campaigns.map(({ name }) => name),
      "C23"
    )
  })

  it("leaves out campaigns that are there already", () => {
    const imported = importText("Campaign,Sent,Replies\nMarch,4200,210\nApril,3100,96")
    if ("refusal" in imported) throw new Error(imported.refusal)
    const existing = [{ name: "march", emails_sent: 4200, replies: 210 }]
    const some = readPastTable(imported.table, {}, { existing, campaign })
    assert.deepStrictEqual(shown(some), [
      "April, 3100 sent, 96 replies",
      "“March”: already there, with the same counts"
    ])
    assert.deepStrictEqual(
      some.learns.map(({ campaigns, name }) => [name, campaigns]),
      [["reply_rate", 2]]
    )
    const all = readPastTable(imported.table, {}, { existing: [...existing, ...some.campaigns], campaign })
    assert.strictEqual(all.obstacle, "All of these campaigns are already there.")
  })

  for (const { example, name } of rowRules) {
    it(`has no tick at a row that is ${name}`, () => {
      const [rows, line] = example
      const unticked = text(rows).rows.filter(({ isTicked }) => !isTicked)
      assert.deepStrictEqual(
        unticked.map(({ id }) => id),
        [String(line)]
      )
      assert.isString(unticked[0]?.reason)
    })
  }

  // Where each of these rows is compared with all others, that takes longer than a test may.
  it("looks at each of many rows a few times", () => {
    const repeated = (row: string) => Array.from({ length: 15_000 }, () => row)
    const why = (rows: ReadonlyArray<string>) => text(rows).rows.at(-1)?.reason
    assert.isUndefined(why(["Sent,Replies", ...repeated("1000,50")]))
    assert.strictEqual(why(["Campaign,Step,Sent", "A,Step 1,900", ...repeated("A,Total,1000")]), "a total of its steps")
  })

  it("lets the user tick each row that the forecast does not refuse", () => {
    const rows = ["Campaign,Sent,Replies", "A,4200,210", "B,3100,96", "Goal,5000,250", "Total,7300,306", "Draft,0,0"]
    const boxes = (ticks: Choices["ticks"] = {}) =>
      read(rows, { ticks }).rows.map(({ isTicked, refusal }) => (isTicked ? "x" : refusal === undefined ? " " : "-"))
    assert.strictEqual(boxes().join(""), "xx --")
    assert.strictEqual(boxes({ 4: true }).join(""), "xxx -")
    assert.strictEqual(boxes({ 4: true, 5: true, 6: true }).join(""), "xxxx-")
    assert.strictEqual(boxes({ 2: false }).join(""), " x  -")
    // Without B and with it, the total is that of the others.
    assert.strictEqual(boxes({ 3: false, 5: true }).join(""), "x- x-")
    const goal = read(rows, { ticks: { 4: true } })
    assert.deepInclude(goal.campaigns, { name: "Goal", emails_sent: 5000, replies: 250 })
    assert.strictEqual(goal.rows[2]?.reason, "a goal, a plan or figures of others, by its name")
    assert.strictEqual(read(rows, { ticks: { 2: false, 3: false } }).campaigns.length, 0)
  })

  it("refuses the tick of the 101st campaign until another one is free", () => {
    const rows = ["Campaign,Sent,Replies", ...Array.from({ length: 102 }, (_, place) => `C${place},${1000 + place},30`)]
    const full = "there can be at most 100 campaigns: untick or remove another"
    const [first, second] = text(rows).rows
    assert.deepStrictEqual([first?.isTicked, first?.refusal, second?.reason], [false, full, "not among the last 100"])
    const freed = read(rows, { ticks: { 103: false } })
    assert.deepStrictEqual([freed.campaigns.length, freed.rows[0]?.refusal], [99, undefined])
    assert.lengthOf(read(rows, { ticks: { 2: true, 103: false } }).campaigns, 100)
  })

  it("makes counts of rates that are of what the user says", () => {
    const rows = ["Campaign,Contacted,Emails sent,Reply rate", "A,400,1200,5.25%", "B,380,1140,6.05%"]
    const [question] = text(rows).questions
    assert.deepStrictEqual(
      question?.offers?.map(({ label, rateBases }) => [label, rateBases]),
      [
        ["Of the emails sent", { 3: 2 }],
        ["Of the contacts", { 3: 1 }]
      ]
    )
    assert.strictEqual(shown(read(rows, { rateBases: { 3: 1 } }))[0], "A, 1200 sent, 21 replies")
    assert.strictEqual(shown(read(rows, { rateBases: { 3: 2 } }))[0], "A, 1200 sent, 63 replies")
    // A count is made only if no other one has the rate, or hardly.
    const few = ["Campaign,Sent,Reply rate", "A,40,5%", "B,4200,5%", "C,4200,5.0%"]
    assert.deepStrictEqual(shown(text(few)).slice(0, 3), [
      "A, 40 sent, 2 replies",
      "B, 4200 sent",
      "C, 4200 sent, 210 replies"
    ])
    assert.deepStrictEqual(text(few).rows[0]?.derived, { replies: "2 from 5% of 40" })
    // Days with rates are added up, too.
    const days = read(["Week,Sent,Reply rate", "2026-W10,1200,2.6%", "2026-W11,1300,3.1%"], { rowsAre: "parts" })
    assert.deepStrictEqual(days.rows[0]?.derived, { replies: "from the rates of 2 rows" })
    assert.strictEqual(days.campaigns[0]?.replies, 71)
  })

  it("makes counts of ratios, and of no count beside a rate", () => {
    const replies = (...cells: ReadonlyArray<string>) =>
      text(["Campaign;Sent;Reply rate", ...cells.map((each, place) => `C${place};1200;${each}`)]).campaigns.map(
        (each) => each.replies
      )
    assert.deepStrictEqual(replies("31/1200", "6/1200"), [31, 6])
    assert.deepStrictEqual(replies("1 in 20", "1/40"), [60, 30])
    assert.deepStrictEqual(replies("1 of 30", "1 in 4"), [40, undefined])
    assert.deepStrictEqual(replies("56 (4.7%)", "24 (2%)"), [undefined, undefined])
    const contacts = read(["Campaign,Enrolled,Reply rate", "A,240,7.5%"], { columns: { 1: "emails_sent" } })
    assert.include(contacts.notes, "“Reply rate” of the contacts makes the replies, rounded.")
  })

  it("is read by its tabs or columns of spaces, whatever commas its numbers have", () => {
    const ragged = ["Campaign\tSent\tReplies\tOwner", "A\t1,200\t31", "B\t2,100\t44\tJo", "C\t1,300\t10", "D\t900\t9\t"]
    const spaces = ragged.map((row) => row.replaceAll("\t", "    "))
    for (const rows of [ragged, spaces]) {
      const counts = text(rows).campaigns.map(({ emails_sent, replies }) => [emails_sent, replies])
      assert.deepStrictEqual(counts, [
        [1200, 31],
        [2100, 44],
        [1300, 10],
        [900, 9]
      ])
    }
  })

  it("says which names are of another channel, unless they are of emails, too", () => {
    const rows = ["Campaign,Sent,Replies", "LinkedIn founders,4200,210", "LinkedIn leads by email,3100,96", "C,900,12"]
    assert.deepStrictEqual(
      text(rows).rows.map(({ isTicked, reason }) => [isTicked, reason]),
      [
        [true, "“LinkedIn” in its name: only emails teach"],
        [true, undefined],
        [true, undefined]
      ]
    )
  })

  it("proposes amounts of the campaigns that are ticked", () => {
    const rows = [
      "Campaign,Sent,Replies,Clients,Revenue,Cost",
      "A,4200,210,3,€28.800,€1.200",
      "B,3100,96,1,€9.000,€900"
    ]
    const amounts = (ticks: Choices["ticks"] = {}) =>
      read(rows, { ticks }).proposals.map(({ amount, currency, field }) => [field, amount, currency])
    assert.deepStrictEqual(amounts(), [
      ["average_deal_value", 9450, "EUR"],
      ["campaign_cost", 1438, "EUR"]
    ])
    assert.deepStrictEqual(amounts({ 3: false })[0], ["average_deal_value", 9600, "EUR"])
    assert.deepStrictEqual(read(rows, { columns: { 4: "none", 5: "none" } }).proposals, [])
  })

  it("multiplies contacts by the emails that each of them got, once that is known", () => {
    const rows = ["Campaign,Contacted,Delivered,Replied", "March,800,780,41"]
    assert.deepStrictEqual(shown(read(rows, { emailsPerContact: 2.5 })), [
      "March, 2000 sent, 1950 delivered, 41 replies",
      "“Contacted” counts contacts, not emails: emails sent are the contacts times 2.5."
    ])
  })

  it("adds up the rows of one name, or keeps them apart", () => {
    const rows = ["Campaign,Sent,Replies", "March,800,41", "March,500,12", "April,300,"]
    assert.deepStrictEqual(shown(text(rows)), [
      "March, 1300 sent, 53 replies",
      "April, 300 sent",
      "2 rows of “March” are added up to one campaign."
    ])
    const apart = read(rows, { areAddedUp: false })
    assert.deepStrictEqual([apart.campaigns.length, apart.hasSameNames], [3, true])
    // A day without emails may have replies; a count that a part lacks is not known of the whole.
    assert.deepStrictEqual(shown(read([...rows, "March,0,2", "April,100,5"], { emptyCells: "unknown" })), [
      "March, 1300 sent, 55 replies",
      "April, 400 sent",
      "5 rows are added up to 2 campaigns, by name.",
      "“Replies” is left out in “April”: some of its rows have none."
    ])
  })

  it("asks whether automatic replies are among the replies, unless names or counts say so", () => {
    const rows = ["Campaign,Sent,Replies,Out of office,Interested", "March,3540,83,22,12", "April,2310,42,9,5"]
    assert.deepStrictEqual(shown(text(rows)).slice(2), [
      "? Are the 22 in “Out of office” of “March” among its 83 in “Replies”?"
    ])
    assert.deepStrictEqual(shown(read(rows, { automaticReplies: "included" })), [
      "March, 3540 sent, 61 replies, 12 positive",
      "April, 2310 sent, 33 replies, 5 positive",
      "“Out of office” is subtracted from “Replies”."
    ])
    assert.include(shown(read(rows, { automaticReplies: "apart" })), "March, 3540 sent, 83 replies, 12 positive")
    // “Replies (incl. OOO)” says it.
    assert.include(
      shown(text(["Campaign,Sent,Replies (incl. OOO),OOO", "March,3540,83,22"])),
      "March, 3540 sent, 61 replies"
    )
    for (const name of ["No. of OOO replies", "Replies (auto)", "outOfOffice"]) {
      const { questions } = text([`Campaign,Sent,Replies,${name}`, "March,3540,83,22"])
      assert.strictEqual(questions[0]?.choice, "automaticReplies", name)
    }
    const apart = ["Campaign,Sent,Replies,Auto-replies,Interested", "March,3540,30,22,12"]
    assert.deepStrictEqual(shown(text(apart)), ["March, 3540 sent, 30 replies, 12 positive"])
    const both = ["Campaign,Sent,Replied w/ OOO,Replied w/o OOO", "March,3400,77,55", "April,2500,51,40"]
    assert.deepStrictEqual(shown(text(both)).slice(0, 2), [
      "March, 3400 sent, 55 replies",
      "April, 2500 sent, 40 replies"
    ])
    assert.lengthOf(text(["Campaign,Sent,Replies (incl. auto-replies)", "March,3400,77"]).notes, 1)
  })

  it("asks whether empty cells are 0 where a column of few has no 0", () => {
    const rows = [
      "Campaign,Sent,Replies,Meetings,Clients",
      "March,4200,210,11,3",
      "April,3100,96,4,",
      "May,2900,80,5,-"
    ]
    assert.deepStrictEqual(shown(text(rows)).slice(3), [
      "? “Clients” is empty for “April”, “May”, and 0 for none. Does empty mean 0?"
    ])
    assert.deepStrictEqual(
      read(rows, { emptyCells: "zero" }).campaigns.map(({ clients }) => clients),
      [3, 0, 0]
    )
    assert.deepStrictEqual(
      read(rows, { emptyCells: "unknown" }).campaigns.map(({ clients }) => clients),
      [3, undefined, undefined]
    )
    // A 0 elsewhere, a word for unknown, or an empty count before says that the cell is not known.
    assert.lengthOf(text([...rows, "June,2000,50,2,0"]).questions, 0)
    assert.lengthOf(text(["Campaign,Sent,Replies,Meetings", "March,4200,210,3", "April,3100,96,n/a"]).questions, 0)
    assert.lengthOf(text(["Campaign,Sent,Replies,Meetings", "March,4200,210,3", "April,3100,,"]).questions, 0)
  })

  it("does not use counts that are too small to be what their names say, unless they are chosen", () => {
    const rates = ["Campaign,Sent,Replies", "March,4200,5", "April,3100,3", "May,3600,4"]
    const why =
      "“Replies” is not used: as counts, these make a reply rate of only 0.11%, so they may be percentages. If it is the number of replies, choose it."
    assert.include(shown(text(rates)), why)
    assert.include(shown(read(rates, { columns: { 2: "replies" } })), "March, 4200 sent, 5 replies")
    const steps = ["Sequence,Emails,Enrolled,Replied", "A,5,300,3", "B,4,250,2"]
    assert.deepStrictEqual(shown(text(steps)), [
      "“Emails” is not used: 5 is far below the number of people, so it may count the steps of a sequence. If it is the number of emails sent, choose it.",
      "? Choose the column that has the emails sent, or the contacts.",
      "“A”: no number of emails",
      "“B”: no number of emails"
    ])
    assert.include(shown(read(steps, { columns: { 2: "emails_sent" } })), "A, 300 sent, 3 replies")
    assert.strictEqual(read(steps, { columns: { 2: "emails_sent" } }).questions[0]?.choice, "emailsPerContact")
  })

  it("prefers the names of columns that say most", () => {
    const rows = [
      "Campaign,Emails,Emails sent,Replies,Human replies,Replies (from LinkedIn)",
      "March,1400,4200,210,180,9"
    ]
    assert.include(shown(text(rows)), "March, 4200 sent, 180 replies")
  })

  it("recognizes plain names of columns in other languages", () => {
    for (const header of [
      "Kampagne;Versendete E-Mails;Zugestellt;Antworten;davon positiv;Gebuchte Termine;Neukunden",
      "Campagne;Mails envoyés;Délivrés;Réponses;Réponses positives;Rendez-vous;Clients",
      "Campaña;Correos enviados;Entregados;Respuestas;Interesados;Reuniones;Clientes",
      "Campanha;Enviados;Entregues;Respostas;Interessados;Reuniões;Novos clientes",
      "Campagna;Inviate;Consegnate;Risposte;Interessati;Appuntamenti fissati;Clienti acquisiti",
      "Campagne;Verzonden;Afgeleverd;Antwoorden;Geïnteresseerd;Afspraken;Klanten",
      "Kampania;Wysłane;Dostarczone;Odpowiedzi;Zainteresowani;Spotkania;Klienci"
    ]) {
      const [first] = shown(text([header, "A;4.200;4.100;101;31;9;2", "B;3.100;3.050;96;27;7;1"]))
      assert.strictEqual(first, "A, 4200 sent, 4100 delivered, 101 replies, 31 positive, 9 meetings, 2 clients", header)
    }
    const contacts = ["Kampagne;Empfänger;Antworten;Abwesenheitsnotizen", "A;1400;101;12", "B;1000;96;9"]
    assert.deepStrictEqual(
      text(contacts).questions.map(({ choice }) => choice),
      ["automaticReplies", "emailsPerContact"]
    )
  })

  it("leaves out messages that are no emails, and says which campaigns are still running", () => {
    const rows = ["Campaign,Channel,Status,Sent,Replies", "A,Email,Completed,4200,210", "B,LinkedIn,Active,300,60"]
    assert.deepStrictEqual(shown(text([...rows, "C,Email,Active,900,12"])), [
      "A, 4200 sent, 210 replies",
      "C, 900 sent, 12 replies",
      "“B”: LinkedIn, not email",
      "“C”: still running: more replies will come"
    ])
    const types = ["Campaign,Type,Sent,Replies", "A,HTML email,4200,210", "B,Plain text,300,60"]
    assert.lengthOf(text(types).campaigns, 2)
    assert.lengthOf(text(["Channel,Sent,Replies", "Email,4200,210", "LinkedIn,300,60"]).campaigns, 1)
    const none = ["Campaign,Channel,Sent,Replies", "A,LinkedIn,400,80", "B,SMS,300,60"]
    assert.deepStrictEqual(shown(text(none)), [
      "! No campaign is ticked: tick those to learn from.",
      "“A”: LinkedIn, not email",
      "“B”: SMS, not email"
    ])
    const manual = text(["Step,Type,Sent,Replies", "1,Automatic,900,9", "2,Manual,800,8"])
    assert.deepStrictEqual(
      manual.rows.map(({ counts }) => counts.emails_sent),
      [1700]
    )
    const states = ["Campagne,Statut,Envoyés,Réponses", "A,Brouillon,4200,210", "B,En cours,900,12"]
    assert.deepStrictEqual(shown(text(states)), [
      "B, 900 sent, 12 replies",
      "“A”: not sent yet",
      "“B”: still running: more replies will come"
    ])
  })

  it("takes campaigns of one name for several where they are of several clients", () => {
    const rows = ["Client,Campaign,Sent,Replies", "Acme,Q1,4200,210", "Beta,Q1,3100,96", "Beta,Q2,900,30"]
    const apart = ["Q1 (Acme), 4200 sent, 210 replies", "Q1 (Beta), 3100 sent, 96 replies", "Q2, 900 sent, 30 replies"]
    assert.deepStrictEqual(shown(text(rows)), apart)
    // The cells of a client may be merged.
    assert.deepStrictEqual(shown(text(rows.map((row) => row.replace("Beta,Q2", ",Q2")))), apart)
    const steps = ["Client,Campaign,Sent,Replies", "Acme,A step 1,900,9", "Beta,A step 1,800,8", "Beta,A step 2,700,7"]
    assert.deepStrictEqual(
      text(steps).campaigns.map(({ emails_sent, name }) => [name, emails_sent]),
      [
        ["A (Acme)", 900],
        ["A (Beta)", 1500]
      ]
    )
    const mailboxes = ["Account,Campaign,Sent,Replies", "joe@example.com,Q1,400,20", "sam@example.com,Q1,300,9"]
    assert.include(shown(text(mailboxes)), "Q1, 700 sent, 29 replies")
  })

  it("leaves out totals of steps, totals in other languages and statistics", () => {
    const steps = ["Sequence,Step,Sent,Replied", "A,Step 1,1000,30", "A,Step 2,950,15", "A,Total,1000,43"]
    assert.deepStrictEqual(shown(text(steps)), [
      "A, 1950 sent, 45 replies",
      "2 rows of “A” are added up to one campaign.",
      "“A”: a total of its steps"
    ])
    const ends = [
      "A (forecast),5000,150",
      "Итого,7300,300",
      "--- Grand Total ---,7300,300",
      "Stdev,550,60",
      "vs. last month,550,60",
      "Average per campaign,3651,150",
      "Forecast,5000,150",
      "Budget (Q3 2026),5000,150",
      "Max,4200,210",
      ",3650,150"
    ]
    for (const end of ends) {
      assert.lengthOf(text(["Campaign,Sent,Replies", "A,4200,210", "B,3100,90", end]).campaigns, 2, end)
    }
    for (const name of ["Growth", "Budget (Hotels)", "Budget 1", "Forecast campaign"]) {
      assert.lengthOf(text(["Campaign,Sent,Replies", "A,4200,210", `${name},3100,90`]).campaigns, 2, name)
    }
    // The total of one campaign may have no name.
    assert.lengthOf(text(["Campaign,Sent,Replies", "A,4200,211", ",4200,211"]).campaigns, 1)
    // Averages and differences have decimals and signs, but say nothing about the columns.
    const beneath = ["Average,3650,150.5", "vs goal,-500,-20", "Reply rate,,4.1%"]
    assert.lengthOf(text(["Campaign,Sent,Replies", "A,4200,210", "B,3100,91", ...beneath]).campaigns, 2)
    // A person may be called Max: there is a reason, and a tick that can be set.
    const [, max] = text(["Campaign,Sent,Replies", "Anna,4200,210", "Max,3100,90"]).rows
    assert.deepStrictEqual(
      [max?.isTicked, max?.reason, max?.refusal],
      [false, "called an average or another statistic", undefined]
    )
    // All variants may be in one row.
    assert.lengthOf(text(["Campaign,Variant,Sent,Replies", "A,All,4200,210", "B,All,3100,90"]).campaigns, 2)
  })

  it("leaves out a count that contradicts others in one of ten campaigns, and its column in one of nine", () => {
    const rows = ["Campaign,Sent,Replies,Positive", "A,500,10,30"]
    for (let index = 1; index < 10; index++) rows.push(`B${index},${400 + index},${20 + index},5`)
    const [one, ...others] = shown(text(rows))
    assert.deepStrictEqual(
      [one, others.at(-1)],
      ["A, 500 sent, 10 replies", "“Positive replies” is left out in “A”: 30 is above the 10 replies."]
    )
    assert.include(others[0], "5 positive")
    const fewer = shown(text(rows.slice(0, -1)))
    assert.include(fewer, "B1, 401 sent, 21 replies")
    assert.include(fewer, "“Positive replies” is not used: 30 in “A” is above the 10 replies.")
  })

  it("takes delivered emails for a percentage only in campaigns of more than 200 emails", () => {
    const of = (...sent: ReadonlyArray<number>) =>
      shown(text(["Campaign,Sent,Delivered,Replies", ...sent.map((emails, index) => `C${index},${emails},98,7`)]))
    assert.deepStrictEqual(of(200, 201), [
      "C0, 200 sent, 98 delivered, 7 replies",
      "C1, 201 sent, 98 delivered, 7 replies"
    ])
    assert.deepStrictEqual(of(201, 300), [
      "C0, 201 sent, 7 replies",
      "C1, 300 sent, 7 replies",
      "“Delivered” is not used: 98 in “C0” looks like a percentage."
    ])
  })

  it("asks whether dated rows that only grow are running totals, and uses the latest of each campaign", () => {
    const rows = [
      "Week,Campaign,Sent,Replies",
      "1,A,1000,12",
      "2,A,1900,30",
      "3,A,2800,44",
      "1,B,500,4",
      "2,B,900,11",
      "3,B,1400,19"
    ]
    assert.deepStrictEqual(
      text(rows).questions.map(({ choice, sentence }) => [choice, sentence]),
      [["laterRows", "The rows of “A”, “B” look like running totals. Does each row include the earlier ones?"]]
    )
    assert.deepStrictEqual(shown(read(rows, { laterRows: "include" })), [
      "A, 2800 sent, 44 replies",
      "B, 1400 sent, 19 replies",
      "“A”: included in a later row",
      "“A”: included in a later row",
      "“B”: included in a later row",
      "“B”: included in a later row"
    ])
    assert.include(shown(read(rows, { laterRows: "add" })), "A, 5700 sent, 86 replies")
    // Weeks that get better, from the latest to the earliest or not.
    const better = ["Week,Campaign,Sent,Replies", "1,A,1000,12", "2,A,1100,13", "3,A,1200,14", "4,A,1300,15"]
    assert.lengthOf(text(better).questions, 0)
    const pairs = rows.filter((row) => !row.startsWith("3"))
    assert.lengthOf(text(pairs).questions, 1)
    assert.lengthOf(text(pairs.map((row) => row.replace("900,11", "900,3"))).questions, 0)
    const [header, ...weeks] = ["Date,Sent,Replies", "1/3,100,2", "8/3,250,7", "15/3,400,12", "22/3,600,18"]
    for (const order of [weeks, weeks.toReversed()]) {
      assert.deepStrictEqual(shown(read([header, ...order], { laterRows: "include" })).slice(0, 1), [
        "600 sent, 18 replies"
      ])
    }
    const snapshots = ["Campaign,As of,Sent,Replies", "A,2026-03-01,4200,101", "A,2026-03-08,4200,113"]
    assert.strictEqual(text(snapshots).questions[0]?.choice, "laterRows")
  })

  it("reads counts with leading zeros, and takes the dot of an abbreviation for no decimal sign", () => {
    const padded = ["Campaign\tEmails sent\tReplies", "A\t1 500\t0 012", "B\t2 000\t0 130"]
    assert.deepStrictEqual(shown(text(padded)), ["A, 1500 sent, 12 replies", "B, 2000 sent, 130 replies"])
    const abbreviated = ["Campaign;Emails sent;Replies;Reply rate", "A;1.500;20;5pct.", "B;2.000;30;4pct."]
    assert.deepStrictEqual(
      text(abbreviated).campaigns.map(({ emails_sent }) => emails_sent),
      [1500, 2000]
    )
  })

  it("is read from the counts of a funnel, whose column may be called so", () => {
    const funnel = ["Stage,Count,Conversion", "Emails sent,9000,100%", "Replies,120,1.3%", "Meetings booked,12,10%"]
    assert.strictEqual(shown(text(funnel))[0], "Count, 9000 sent, 120 replies, 12 meetings")
  })

  it("asks about weekdays and months, even if these are numbers or say how many campaigns they had", () => {
    for (const rows of [
      ["Weekday,Sent,Replies", "1,420,11", "2,310,7"],
      ["Hour,Sent,Replies", "8,420,11", "9,310,7"],
      ["Month,Campaigns,Sent,Replies", "Jan 2026,3,420,11", "Feb 2026,4,310,7"]
    ]) {
      assert.include(
        shown(text(rows)),
        "? The rows have dates, but no names of campaigns. Are they days of one campaign, to be added up?"
      )
    }
  })

  it("has campaigns whose names are numbers, and their total without one", () => {
    const numbered = ["Campaigns,Sent,Replies", "1001,420,21", "1002,310,9", ",730,30"]
    assert.deepStrictEqual(shown(text(numbered)).slice(0, 2), [
      "1001, 420 sent, 21 replies",
      "1002, 310 sent, 9 replies"
    ])
    assert.lengthOf(text(numbered).campaigns, 2)
    const chosen = read(["Month,Campaigns,Sent,Replies", "Jan 2026,3,420,11"], { columns: { 1: "name" } })
    assert.strictEqual(chosen.campaigns[0]?.name, "3")
  })

  it("reads the first of two counts in a cell, such as those of a campaign that was stopped", () => {
    const stopped = ["Campaign,Sent,Replies", "A,4200/5000 (84%),210", "B,3100/3100 (100%),96"]
    assert.deepStrictEqual(shown(text(stopped)), ["A, 4200 sent, 210 replies", "B, 3100 sent, 96 replies"])
  })

  it("leaves out lines that were split at the commas of their numbers", () => {
    const rows = ["Campaign,Sent,Replies", "A,4200,101", "B,13,100,396", "C,2000,51,"]
    assert.deepStrictEqual(shown(text(rows)), [
      "A, 4200 sent, 101 replies",
      "C, 2000 sent, 51 replies",
      "Line 3 has more cells than the header: write numbers without separators, and put text with commas in quotes.",
      "line 3, “B”: more cells than the header"
    ])
    assert.property(importText("Campaign,Sent,Replies\nA,14,200,401\nB,13,100,396"), "refusal")
  })

  it("counts a contact who replied several times once, and one who is out of office not", () => {
    const rows = ["Email,Status,Emails sent,Replies", "a@example.com,Interested,3,2", "b@example.com,,4,0"]
    assert.include(shown(text(rows)), "7 sent, 1 replies")
    const away = shown(text([...rows, "c@example.com,Out of Office,2,1"]))
    assert.include(away, "9 sent, 1 replies")
    assert.include(away, "Automatic replies of 1 contact are not counted.")
  })

  it("asks about variants whose names end with a letter", () => {
    const variants = [
      "Campaign,Sent,Replies",
      "Alpha (A),1000,41",
      "Alpha (B),1000,28",
      "Beta (A),900,30",
      "Beta (B),900,33"
    ]
    assert.deepStrictEqual(
      text(variants).campaigns.map(({ name }) => name),
      ["Alpha", "Beta"]
    )
    assert.include(shown(text(variants)), "? Each row looks like one step or variant, not one campaign. Add them up?")
    assert.lengthOf(text(["Campaign,Sent,Replies", "Plan (A),1000,41", "Test (B),1000,28"]).questions, 0)
  })

  it("asks about groups of contacts, such as countries, unless campaigns have names of their own", () => {
    const question = "? Each row looks like one group of contacts, such as a country, not one campaign. Add them up?"
    for (const name of [
      "Country",
      "Target industry",
      "Segment",
      "City",
      "Country code",
      "Email provider",
      "job_title"
    ]) {
      const groups = shown(text([`${name},Sent,Replies`, "One,4200,210", "Two,3100,96"]))
      assert.deepStrictEqual(groups.slice(0, 3), [
        "7300 sent, 306 replies",
        "2 rows are added up to one campaign.",
        question
      ])
    }
    assert.deepStrictEqual(shown(text(["Campaign,Country,Sent,Replies", "A,US,4200,210", "B,DE,3100,96"])), [
      "A, 4200 sent, 210 replies",
      "B, 3100 sent, 96 replies"
    ])
  })

  it("takes each row for a campaign if the user says so", () => {
    const rows = ["Week,Sent,Replies", "2026-W10,1200,31", "2026-W11,1300,29"]
    assert.lengthOf(text(rows).questions, 1)
    assert.deepStrictEqual(shown(read(rows, { rowsAre: "campaigns" })), [
      "1200 sent, 31 replies",
      "1300 sent, 29 replies"
    ])
    assert.deepStrictEqual(shown(read(rows, { rowsAre: "parts" })), [
      "2500 sent, 60 replies",
      "2 rows are added up to one campaign."
    ])
  })

  it("uses the columns that the user chooses, as far as their cells are counts", () => {
    const rows = ["Name,Volume,Answers,Rate", "March,4200,210,5%", "April,3100,96,3%"]
    assert.lengthOf(text(rows).campaigns, 0)
    assert.deepStrictEqual(shown(read(rows, { columns: { 1: "emails_sent", 2: "replies", 3: "clients" } })), [
      "March, 4200 sent, 210 replies",
      "April, 3100 sent, 96 replies",
      "? “Rate”: what are the rates of?"
    ])
    const chosen = read(rows, { columns: { 1: "emails_sent", 2: "none" } })
    assert.deepStrictEqual(
      chosen.columns.map(({ use }) => use),
      ["name", "emails_sent", undefined, undefined]
    )
    const days = ["Campaign,Sent,Emails,Replies", "March,46085,1200,310", "April,46092,1300,290"]
    assert.deepStrictEqual(shown(text(days)).slice(2), ["“Sent” is not used: “Emails” is used for emails sent."])
    assert.deepStrictEqual(shown(read(days, { columns: { 1: "emails_sent" } }))[0], "March, 46085 sent, 310 replies")
  })

  it("has no header if its first row is data, or if the user says so", () => {
    const rows = ["March,4200,210", "April,3100,96"]
    assert.isFalse(text(rows).hasHeader)
    assert.deepStrictEqual(
      text(rows).questions.map(({ choice }) => choice),
      ["columns"]
    )
    assert.deepStrictEqual(shown(read(rows, { columns: { 1: "emails_sent", 2: "replies" } })), [
      "March, 4200 sent, 210 replies",
      "April, 3100 sent, 96 replies"
    ])
    const named = read(["Sent,Replies", "4200,210"], { hasHeader: false })
    assert.deepStrictEqual(
      named.columns.map(({ name }) => name),
      ["", ""]
    )
  })

  it("is not meant by one pasted column, whose counts are read as in a table", () => {
    assert.deepStrictEqual(columnOf("56 (4.5%)\nN/A\n1.148\n5.000\n5%"), ["56", "", "1148", "5000", "5%"])
    assert.deepStrictEqual(columnOf("1,200\n3,100"), ["1200", "3100"])
    assert.isUndefined(columnOf("Campaign,Sent,Replies\nMarch,4200,210"))
  })

  it("says why nothing can be added", () => {
    assert.deepStrictEqual(shown(text(["Campaign,Sent,Replies", "Draft,0,0"])), [
      "! There is no row with a campaign.",
      "“Draft”: no emails were sent"
    ])
    assert.deepStrictEqual(importText("Campaign\nMarch"), {
      refusal: "There is only one column: separate the cells by commas, semicolons, tabs or |."
    })
  })
})
