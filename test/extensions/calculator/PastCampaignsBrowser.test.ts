import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import {
  addressContains,
  browserObstacle,
  focusIs,
  follow,
  inspect,
  openPage,
  retype,
  SharedService,
  shows,
  textAt,
  valueAt,
  waitForValue
} from "../../support/Browser.ts"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { temporaryDirectory } from "../../support/Application.ts"
import { slowly } from "../../support/slowly.ts"

/** A cell of the table, by its campaign from 0 on. */
const cell = (row: number, column: string) => `[id="history/${row}/${column}"]`

const paste = (page: Page, selector: string, text: string) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData("text/plain", ${JSON.stringify(text)})
    document.querySelector(${JSON.stringify(selector)}).dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })
    )
  }`)

const open = (page: Page) => page.click("#past summary")

const rates = "emails_sent=5000&reply_rate=5&positive_reply_rate=30&meeting_booking_rate=20&close_rate=25"

const exported = `Campaign Name,Emails Sent,Contacted,Reply count,Interested,Owner
"Mar, SaaS",4200,1400,210,58,Ada
Apr,3100,1000,96,24,Bob
May,3600,1200,148,47,Ada`

describe.skipIf(browserObstacle !== undefined)("past campaigns on the calculator's page, in a browser", slowly, () => {
  layer(SharedService.layer, { excludeTestServices: true })((it) => {
    it.effect("are typed into a table, with errors below their row, and kept in the address", () =>
      Effect.gen(function* () {
        const { foreign, page, problems, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}`)
          await open(page)
          await page.type(cell(0, "name"), "March")
          await page.type(cell(0, "emails_sent"), "4,200")
          await page.type(cell(0, "replies"), "5000")
          await shows(page, "#past .row-errors", "“March”: replies must be at most the number of emails sent.")
          assert.strictEqual(
            await page.evaluate(`document.querySelector('${cell(0, "replies")}').getAttribute("aria-invalid")`),
            "true"
          )
          await shows(page, "#glance", "Correct the fields")
          // The text typed so far may have been valid.
          assert.isFalse(await page.evaluate("location.href.includes('5000..')"))
          await inspect(page, "past-errors")
          await page.click(cell(0, "replies"), { count: 3 })
          await page.keyboard.type("210")
          await shows(page, "#history-answer", "instead of 77 to 466 without these campaigns")
          await page.click("#history-add")
          await focusIs(page, "history/1/name")
          await page.type(cell(1, "emails_sent"), "3100")
          await page.type(cell(1, "replies"), "96")
          await shows(page, "#history-sums", "7,300")
          assert.strictEqual(await page.$("#past .row-errors .error"), null)
          await addressContains(page, "history=4200..210.....March_3100..96")
          // The address contains them.
          await page.reload()
          assert.strictEqual(await valueAt(page, cell(0, "name")), "March")
          assert.strictEqual(await valueAt(page, cell(1, "replies")), "96")
          assert.isTrue(await page.evaluate("document.querySelector('#past details').open"))
          await shows(page, "#history-sums", "7,300")
          await page.click('[data-remove="0"]')
          await waitForValue(page, "document.querySelector('#history-sums').textContent", "")
          await addressContains(page, "history=3100..96")
          // A link of the page keeps them.
          await page.click("#preset-1")
          await shows(page, "#outcome", "Expect")
          assert.strictEqual(await valueAt(page, cell(0, "replies")), "96")
        })
        assert.deepStrictEqual(foreign, [])
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("are pasted: each column shows how it is used before it is added, and can be changed", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(() => page.goto(server.url))
        const requests: Array<string> = []
        page.on("request", (request) => requests.push(request.url()))
        yield* Effect.promise(async () => {
          await open(page)
          await paste(page, cell(0, "name"), exported.replaceAll(/,(?! )/g, "\t").replace("Interested", "Liked it"))
          await shows(page, "#import-dialog", "Add 3 campaigns")
          await shows(page, "#import-dialog", "“Contacted” is not used: “Emails Sent” is used for emails sent.")
          await shows(page, "#import-dialog", "Columns: “Liked it”, “Owner”.")
          assert.strictEqual(await valueAt(page, "#column-3"), "replies")
          // The text typed so far may have been valid.
          assert.isFalse(await page.evaluate("location.href.includes('5000..')"))
          await page.select("#column-1", "none")
          await shows(page, "#import-dialog .error", "How many emails did each contact get?")
          assert.isTrue(await page.evaluate("document.querySelector('#import-add').disabled"))
          await page.select("#column-1", "emails_sent")
          await page.select("#column-4", "positive_replies")
          await focusIs(page, "column-4")
          await page.setViewport({ width: 360, height: 600 })
          await waitForValue(page, "document.querySelector('#import-add').getBoundingClientRect().bottom < 600", true)
          await inspect(page, "past-import")
          await page.click("#import-add")
          await shows(page, "#history-answer", "3 ended within the range of replies")
          assert.strictEqual(await valueAt(page, cell(0, "name")), "Mar, SaaS")
          assert.strictEqual(await valueAt(page, cell(2, "positive_replies")), "47")
          assert.isFalse(await page.evaluate("document.querySelector('#import-dialog').open"))
          await addressContains(page, "history=4200..210.58....Mar%2C+SaaS_3100..96.24....Apr_3600..148.47....May")
          assert.notInclude(page.url(), "Ada")
          await inspect(page, "past-campaigns")
        })
        assert.deepStrictEqual(
          requests.filter((url) => !url.includes("/assets/later-")),
          []
        )
      })
    )

    it.effect("are asked about where their counts can mean two things, until that is answered", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const table = "Campaign\tSent\tReplies\tOut of office\tInterested\nMay\t2310\t83\t22\t12\nJune\t2800\t42\t9\t"
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}`)
          await open(page)
          await paste(page, cell(0, "name"), table.replace("12\n", "5\n"))
          await shows(page, "#import-verdict", "Are the 22 in “Out of office” of “May” among its 83 in “Replies”?")
          await page.focus("#automaticReplies-included")
          await page.keyboard.press("Space")
          await focusIs(page, "automaticReplies-included")
          await shows(page, "#import-verdict", "Does empty mean 0?")
          assert.isTrue(await page.evaluate("document.querySelector('#import-add').disabled"))
          await page.focus("#emptyCells-zero")
          await page.keyboard.press("Space")
          await shows(page, "#import-verdict", "Will be learned from 2 campaigns: reply rate (")
          await inspect(page, "past-questions")
          await page.click("#import-add")
          await addressContains(page, "history=2310..61.5....May_2800..33.0....June")
        })
      })
    )

    it.effect("are added by a button that no table covers, however many columns are above it", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const file = new URL("../tables/deutsch-davon-positiv.csv", import.meta.url)
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}`)
          await open(page)
          await paste(page, cell(0, "name"), readFileSync(file, "utf8"))
          await shows(page, "#import-dialog", "Add 3 campaigns")
          const topmost = `(() => {
            const { height, left, top, width } = document.querySelector("#import-add").getBoundingClientRect()
            return document.elementFromPoint(left + width / 2, top + height / 2)?.id
          })()`
          assert.strictEqual(await page.evaluate(topmost), "import-add")
          await page.click("#import-add")
          await addressContains(page, "history=12400.11980.210.64.31.26.7.Maschinenbau")
        })
      })
    )

    it.effect("are counted in contacts: Add waits for the emails of each, which stand beside the result", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const contacts = "Campaign\tContacted\tReplied\nMay Inc.\t800\t41\nJune\t900\t1000"
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}`)
          await open(page)
          await paste(page, cell(0, "name"), contacts)
          await shows(page, "#import-verdict", "How many emails did each contact get?")
          await shows(page, "#import-status", "How many emails did each contact get?")
          await shows(page, ".preview thead", "Contacts")
          await page.type("#emails-per-contact", "0")
          assert.isTrue(await page.evaluate("document.querySelector('#import-add').disabled"))
          await retype(page, "emails-per-contact", "2,5")
          await shows(page, "#import-verdict", "Will be learned from 2 campaigns: reply rate (")
          await shows(
            page,
            "#import-status",
            "2 campaigns can be added. Will be learned from 2 campaigns: reply rate ("
          )
          await shows(page, ".preview", "2,000")
          await shows(page, ".preview thead", "Emails sent")
          await inspect(page, "past-contacts")
          await page.click("#import-add")
          await shows(page, "#history-answer", "contacts times 2.5")
          await addressContains(page, "contact_emails=2.5")
          await page.reload()
          await shows(page, "#history-answer", "contacts times 2.5")
          assert.strictEqual(await valueAt(page, cell(0, "name")), "May Inc.")
          await page.click("#history-clear")
          await addressContains(page, "close_rate=25&")
          await waitForValue(page, "document.querySelector('#history-answer').textContent", "")
          await waitForValue(page, "location.href.includes('contact_emails')", false)
        })
      })
    )

    it.effect("can be taken for other columns after they were added, in place of those from before", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}&history=100..5`)
          await paste(page, cell(0, "emails_sent"), "A\tB\tC\nMay\t800\t41\nJune\t900\t30")
          await shows(page, "#import-verdict", "Choose the column that has the emails sent")
          await page.select("#column-1", "emails_sent")
          await shows(page, "#import-verdict", "Nothing can be learned yet")
          await page.select("#column-2", "replies")
          await page.click("#import-add")
          await shows(page, "#history-sums", "All 31,80076")
          await page.click("#history-columns")
          await page.waitForSelector("#column-0")
          await page.select("#column-0", "name")
          await page.click("#import-add")
          await shows(page, "#history-sums", "All 31,80076")
          assert.strictEqual(await valueAt(page, cell(2, "name")), "June")
        })
      })
    )

    it.effect("replace what was corrected in the table when other columns are chosen, until the page is reloaded", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}&history=100..5`)
          await paste(
            page,
            cell(0, "emails_sent"),
            "Campaign\tSent\tReplies\nMay\t800\t41\nJune\t900\t30\nJuly\t700\t33"
          )
          await shows(page, "#import-dialog", "Add 3 campaigns")
          await page.click("#import-add")
          await shows(page, "#history-sums", "All 42,500109")
          await page.click('[data-remove="0"]')
          await shows(page, "#history-sums", "All 32,400104")
          await page.click("#history-add")
          await page.type(cell(3, "emails_sent"), "500")
          await page.type(cell(3, "replies"), "10")
          await page.click(cell(0, "replies"), { count: 3 })
          await page.keyboard.type("14")
          await page.click(cell(1, "name"), { count: 3 })
          await page.keyboard.type("Early June")
          // A link of the page keeps them.
          await page.click("#preset-1")
          await shows(page, "#history-sums", "All 42,90087")
          await page.click("#history-columns")
          await page.waitForSelector("#import-add")
          await page.click("#import-add")
          await shows(page, "#history-sums", "All 42,900114")
          assert.strictEqual(await valueAt(page, cell(0, "replies")), "10")
          assert.strictEqual(await valueAt(page, cell(2, "name")), "June")
          await addressContains(page, "history=500..10_800..41.....May_900..30.....June_700..33.....July&")
          // The table itself is not stored.
          await page.reload()
          assert.isTrue(await page.evaluate("document.querySelector('#history-columns').hidden"))
          assert.strictEqual(await valueAt(page, cell(3, "name")), "July")
        })
      })
    )

    it.effect("show what they change once they are added, and do not stand beside the money of an example", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const added = "#history-added"
        yield* Effect.promise(async () => {
          await page.goto(server.url)
          await open(page)
          await retype(page, "emails_sent", "12000")
          await paste(page, cell(0, "name"), exported.replaceAll(/,(?! )/g, "\t"))
          await shows(page, "#import-dialog", "Add 3 campaigns")
          await page.click("#import-add")
          await shows(page, added, "3 campaigns added: 62 to 386 replies before, 185 to 743 now. See the forecast")
          assert.strictEqual(await textAt(page, added, "role"), "status")
          assert.strictEqual(await page.evaluate("document.activeElement.hash"), "#result")
          assert.isTrue(
            await page.evaluate(`{
              const { bottom, top } = document.querySelector("${added}").getBoundingClientRect()
              top >= 0 && bottom <= innerHeight
            }`)
          )
          assert.deepStrictEqual(
            [await valueAt(page, "#average_deal_value"), await valueAt(page, "#campaign_cost")],
            ["", ""]
          )
          await shows(page, added, "Enter your own deal value and campaign cost to see profit and return")
          assert.strictEqual(await textAt(page, "#preset-source"), "")
          assert.strictEqual(await page.$("#presets [aria-current]"), null)
          await inspect(page, "past-added")
          await page.click(`${added} [href="#average_deal_value"]`)
          await focusIs(page, "average_deal_value")
          await page.keyboard.type("5000")
          // It is about the numbers from before.
          await waitForValue(page, `document.querySelector("${added}").textContent`, "")
          await addressContains(page, "average_deal_value=5000&")
          // A typed amount stays.
          await page.click("#preset-1")
          await retype(page, "campaign_cost", "1500")
          await paste(page, cell(0, "name"), "Campaign\tSent\tReplies\nJune\t2000\t80")
          await shows(page, "#import-dialog", "Add 1 campaign")
          await page.click("#import-add")
          await shows(page, added, "1 campaign added")
          await shows(page, added, "Enter your own deal value to see")
          assert.deepStrictEqual(
            [await valueAt(page, "#average_deal_value"), await valueAt(page, "#campaign_cost")],
            ["", "1,500"]
          )
        })
      })
    )

    it.effect("are ticked and unticked with the mouse and the keyboard, and what is learned follows", () =>
      Effect.gen(function* () {
        const { page, problems, server } = yield* openPage
        const table = [
          "Campaign\tSent\tReplies",
          "Alpha\t4200\t210",
          "Beta\t3100\t96",
          "Overall\t5000\t90",
          "Draft\t0\t0",
          "Total\t12300\t396"
        ].join("\n")
        const nameOf = (id: string) => textAt(page, `label:has(#${id})`)
        const isTicked = (id: string) => page.evaluate(`document.querySelector("#${id}").checked`)
        const verdict = "#import-verdict"
        yield* Effect.promise(async () => {
          await page.setViewport({ width: 1280, height: 900 })
          await page.goto(`${server.url}/?${rates}`)
          await open(page)
          await paste(page, cell(0, "name"), table)
          await shows(page, verdict, "from 2 campaigns: reply rate (4.54%)")
          assert.deepStrictEqual(
            [await nameOf("tick-2"), await nameOf("tick-4"), await nameOf("tick-6")],
            ["Alpha", "Overall", "Total"]
          )
          // A rule has unticked it; the user knows better.
          await shows(page, "#tick-4-why", "called a total")
          await page.click("label:has(#tick-4)")
          await shows(page, verdict, "from 3 campaigns: reply rate (3.75%)")
          await focusIs(page, "tick-4")
          // What the API refuses says so, to the screen reader too, and stays as it is.
          await shows(page, "#tick-6-why", "the total of the others, which the forecast refuses")
          const refused = "document.querySelector('#tick-6')"
          assert.strictEqual(await page.evaluate(`${refused}.ariaDisabled`), "true")
          assert.strictEqual(await page.evaluate(`${refused}.getAttribute("aria-describedby")`), "tick-6-why")
          await page.click("#tick-6")
          await page.focus("#tick-6")
          await page.keyboard.press("Space")
          assert.isFalse(await isTicked("tick-6"))
          await shows(page, "#tick-5-why", "no emails were sent")
          await inspect(page, "past-rows")
          await page.focus("#tick-3")
          await page.keyboard.press("Space")
          await shows(page, verdict, "from 2 campaigns: reply rate (")
          await focusIs(page, "tick-3")
          assert.isFalse(await isTicked("tick-3"))
          // A click beside the name counts, too.
          await page.click("[data-row='3'] td")
          await shows(page, verdict, "from 3 campaigns: reply rate (")
          await shows(page, "#import-status", "3 campaigns can be added. Will be learned from 3 campaigns: reply rate")
          await page.click("#ticks-reset")
          await shows(page, verdict, "from 2 campaigns: reply rate (4.54%)")
          await focusIs(page, "ticks-none")
          await page.keyboard.press("Enter")
          await shows(page, verdict, "No campaign is ticked")
          await focusIs(page, "ticks-reset")
          await page.click("#tick-4")
          await page.click("#import-add")
          await shows(page, "#history-added", "1 campaign added")
          await addressContains(page, "history=5000..90.....Overall&")
        })
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("are all on the page, also a thousand, without sideways scrolling on a phone", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const rows = Array.from(
          { length: 1000 },
          (_, place) => `Campaign ${place}\t${1000 + place}\t${30 + (place % 7)}`
        )
        yield* Effect.promise(async () => {
          await page.setViewport({ width: 360, height: 740 })
          await page.goto(`${server.url}/?${rates}`)
          await open(page)
          await paste(page, cell(0, "name"), ["Campaign\tSent\tReplies", ...rows].join("\n"))
          await shows(page, "#import-ticks", "100 of 1,000 rows ticked.")
          assert.strictEqual(await page.evaluate("document.querySelectorAll('#import-rows input').length"), 1000)
          await shows(page, "#tick-2-why", "at most 100 campaigns: untick or remove another")
          await page.focus("#tick-990")
          await page.keyboard.press("Space")
          await shows(page, "#import-ticks", "99 of 1,000 rows ticked.")
          await focusIs(page, "tick-990")
          await page.focus("#tick-500")
          await page.keyboard.press("Space")
          await shows(page, "#import-ticks", "100 of 1,000 rows ticked.")
          await focusIs(page, "tick-500")
          const isInView = `{
            const { bottom, top } = document.activeElement.getBoundingClientRect()
            top >= 0 && bottom <= innerHeight
          }`
          assert.isTrue(await page.evaluate(isInView))
          assert.deepStrictEqual(
            await page.evaluate(
              "['html', '#import-dialog', '#import-scroll'].map((each) => document.querySelector(each)).map((each) => each.scrollWidth - each.clientWidth)"
            ),
            [0, 0, 0]
          )
          // Nobody has to pass a thousand ticks to add them.
          await page.focus("#import-skip")
          await page.keyboard.press("Enter")
          await focusIs(page, "import-add")
          await page.keyboard.press("Enter")
          await shows(page, "#history-added", "100 campaigns added")
          assert.strictEqual(await valueAt(page, cell(0, "name")), "Campaign 498")
        })
      })
    )

    it.effect("have ticks of their own where rows of one name are added up", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}`)
          await open(page)
          await paste(page, cell(0, "name"), "Campaign\tSent\tReplies\nMay\t800\t41\nJune\t900\t30\nMay\t700\t33")
          await shows(page, "#import-ticks", "2 of 2 rows ticked.")
          await page.click("#import-add-up")
          await shows(page, "#import-ticks", "3 of 3 rows ticked.")
          await page.focus("#tick-2")
          await page.keyboard.press("Space")
          await shows(page, "#import-ticks", "2 of 3 rows ticked.")
          // The sum of May is another row than the first of those it has.
          await page.click("#import-add-up")
          await shows(page, "#import-rows", "1,500")
          assert.isTrue(await page.evaluate("document.querySelector('#tick-2').checked"))
          await shows(page, "#import-dialog", "Add 2 campaigns")
        })
      })
    )

    it.effect("are asked about in sentences whose answers are buttons", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const button = (label: string) => `::-p-xpath(//button[text()="${label}"])`
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}`)
          await open(page)
          await paste(page, cell(0, "name"), "Campaign\tDelivered\tReplies\tCalls\nMay\t800\t41\t5\nJune\t900\t30\t4")
          await shows(page, "#import-verdict", "If only delivered emails are known, choose them.")
          await shows(page, ".offers", "“Calls” is not used, as it can mean several things.")
          await inspect(page, "past-offers")
          await page.click(button("Use “Delivered” as emails sent"))
          await focusIs(page, "column-1")
          await shows(page, "#import-verdict", "Will be learned from 2 campaigns: reply rate (")
          await page.click(button("Use “Calls” as meetings booked"))
          await focusIs(page, "column-3")
          assert.strictEqual(await valueAt(page, "#column-3"), "meetings")
          await page.click("#import-cancel")
          await paste(page, cell(0, "name"), "Campaign\tContacted\tReplied\nMay\t800\t41\nJune\t900\t30")
          await page.waitForSelector(button("Contacts × 3 emails"))
          await page.click(button("Contacts × 3 emails"))
          await focusIs(page, "emails-per-contact")
          await shows(page, ".preview", "2,400")
        })
      })
    )

    it.effect("propose a deal value and a cost, which fill the form as far as they are ticked", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const table = [
          "Campaign\tSent\tReplies\tWon\tRevenue (EUR)\tSpend (EUR)",
          "Alpha\t4000\t210\t3\t9000\t800",
          "Beta\t2000\t96\t1\t5000\t400"
        ].join("\n")
        const amounts = async () => [await valueAt(page, "#average_deal_value"), await valueAt(page, "#campaign_cost")]
        yield* Effect.promise(async () => {
          await page.goto(server.url)
          await open(page)
          await paste(page, cell(0, "name"), table)
          await shows(page, "label:has(#propose-average_deal_value)", "Deal value €3,500: €14,000 in “Revenue (EUR)”")
          await shows(page, "label:has(#propose-average_deal_value)", "It replaces 5,000.")
          await shows(page, "label:has(#propose-campaign_cost)", "Campaign cost €2,000")
          await shows(page, "#column-4 option:checked", "revenue, for the deal value")
          await inspect(page, "past-proposals")
          await page.select("#column-4", "none")
          await shows(page, "#column-4 option:checked", "not used")
          await waitForValue(page, "document.querySelector('#propose-average_deal_value')", null)
          await page.select("#column-4", "")
          await shows(page, "#column-4 option:checked", "revenue, for the deal value")
          // The figures follow the ticks of the rows.
          await page.click("#tick-3")
          await shows(page, "label:has(#propose-average_deal_value)", "Deal value €3,000")
          await page.focus("#propose-campaign_cost")
          await page.keyboard.press("Space")
          await page.click("#tick-3")
          await shows(page, "label:has(#propose-average_deal_value)", "Deal value €3,500")
          assert.isFalse(await page.evaluate("document.querySelector('#propose-campaign_cost').checked"))
          await page.click("#import-add")
          await shows(page, "#history-added", "The deal value is now from your campaigns, too.")
          await shows(page, "#history-added", "Enter your own campaign cost")
          assert.deepStrictEqual(await amounts(), ["3,500", ""])
          await addressContains(page, "currency=EUR&")
          await page.click("#history-columns")
          await page.waitForSelector("#propose-campaign_cost")
          await page.click("#propose-campaign_cost")
          await page.click("#import-add")
          await shows(page, "#history-added", "The deal value and campaign cost are now from your campaigns, too.")
          assert.deepStrictEqual(await amounts(), ["3,500", "2,000"])
          // The emails of the plan are unknown, and with them its cost.
          await retype(page, "emails_sent", "many")
          await page.click("#history-columns")
          await shows(page, "#import-proposals", "Deal value €3,500")
          assert.notInclude(await textAt(page, "#import-proposals"), "Campaign cost")
        })
      })
    )

    it.effect("are read from the sheet that is chosen, and another sheet adds to it", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const workbook = fileURLToPath(new URL("../tables/a-sheet-for-each-month.xlsx", import.meta.url))
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}&history=100..5.....Own`)
          const input = await page.$("input#history-file")
          await input?.uploadFile(workbook)
          await shows(page, "#import-ticks", "1 of 1 row ticked.")
          assert.strictEqual(await valueAt(page, "#import-sheet"), "Jan")
          await inspect(page, "past-sheets")
          await page.click("#import-add")
          await addressContains(page, "history=100..5.....Own_4200..210.58....A&")
          await page.click("#history-columns")
          await page.waitForSelector("#import-sheet")
          await page.select("#import-sheet", "Feb")
          await shows(page, "#import-rows", "3,100")
          await focusIs(page, "import-sheet")
          await page.click("#import-add")
          await addressContains(page, "history=100..5.....Own_4200..210.58....A_3100..96.24....B&")
          // What a sheet has added is replaced by what it adds again.
          await page.click("#history-columns")
          await page.waitForSelector("#import-sheet")
          await page.select("#import-sheet", "Jan")
          await shows(page, "#import-rows", "4,200")
          await page.select("#column-3", "none")
          await page.click("#import-add")
          await addressContains(page, "history=100..5.....Own_3100..96.24....B_4200..210.....A&")
        })
      })
    )

    it.effect("are previewed with the keyboard alone, and left with Escape", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const focused = "document.activeElement.id"
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}`)
          await open(page)
          await page.focus(cell(0, "name"))
          await paste(page, cell(0, "name"), "May\t800\t41\nJune\t900\t30")
          await waitForValue(page, focused, "column-0")
          await page.keyboard.press("Escape")
          await waitForValue(page, focused, "history/0/name")
          // The dialog is emptied after its focus has gone back.
          await waitForValue(page, "document.querySelector('#import-content *')", null)
          await paste(page, cell(0, "name"), "May\t800\t41\nJune\t900\t30")
          await waitForValue(page, focused, "column-0")
          for (const key of ["C", "Tab", "E", "Tab", "R"]) {
            // One key after another. oxlint-disable-next-line no-await-in-loop
            await (key === "Tab" ? page.keyboard.press(key) : page.keyboard.type(key))
          }
          await shows(page, "#import-verdict", "Will be learned from 2 campaigns: reply rate (")
          for (const id of ["ticks-none", "tick-1", "tick-2", "import-add"]) {
            // One stop after another. oxlint-disable-next-line no-await-in-loop
            await page.keyboard.press("Tab")
            // One stop after another. oxlint-disable-next-line no-await-in-loop
            await waitForValue(page, focused, id)
          }
          await waitForValue(page, focused, "import-add")
          await page.keyboard.press("Enter")
          await waitForValue(page, "document.activeElement.textContent", "See the forecast")
          assert.strictEqual(await valueAt(page, cell(1, "replies")), "30")
        })
      })
    )

    it.effect("are refused in words where a file is no table", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const file = `${yield* temporaryDirectory}/report.pdf`
        writeFileSync(file, "%PDF-1.7\n")
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}&history=100..5`)
          const input = await page.$("input#history-file")
          await input?.uploadFile(file)
          await shows(page, "#history-refusal", "PDF")
          assert.isFalse(await page.evaluate("document.querySelector('#import-dialog').open"))
        })
      })
    )

    it.effect("are pasted into a column of the table, laid out as in the spreadsheet", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        yield* Effect.promise(async () => {
          await page.goto(`${server.url}/?${rates}&history=4200..210.....March`)
          await paste(page, cell(0, "positive_replies"), "61\n\n1,012\n")
          await shows(page, "#history-rows", "Past campaign 2: emails sent is missing.")
          await paste(page, cell(1, "name"), "April\nMay\n")
          await paste(page, cell(1, "emails_sent"), "3100\r\n60,000\r\n")
          await paste(page, cell(1, "replies"), "96\n2400")
          await shows(page, "#history-sums", "67,3002,706")
          assert.strictEqual(await page.$("#past .row-errors .error"), null)
          assert.strictEqual(await valueAt(page, cell(0, "positive_replies")), "61")
          assert.strictEqual(await valueAt(page, cell(1, "positive_replies")), "")
          assert.strictEqual(await valueAt(page, cell(2, "positive_replies")), "1012")
          await focusIs(page, "history/1/replies")
          await addressContains(page, "history=4200..210.61....March_3100..96.....April_60000..2400.1012....May")
          // Several columns are shown for review first.
          await paste(page, cell(0, "meetings"), "5\t4\t1\tAda")
          await shows(page, "#import-dialog .error", "Choose the column that has the emails sent, or the contacts.")
        })
      })
    )

    it.effect("are read from a file in the browser, which sends none of it", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const file = `${yield* temporaryDirectory}/export.csv`
        writeFileSync(file, `\uFEFF${exported}\r\n`)
        yield* Effect.promise(() => page.goto(`${server.url}/?${rates}&history=100..5`))
        const requests: Array<string> = []
        page.on("request", (request) => requests.push(request.url()))
        yield* Effect.promise(async () => {
          const input = await page.$("input#history-file")
          await input?.uploadFile(file)
          await shows(page, "#import-dialog", "Add 3 campaigns")
          await page.click("#import-add")
          // They are added to the existing ones.
          await shows(page, "#history-sums", "All 4")
          assert.strictEqual(await valueAt(page, cell(3, "name")), "May")
        })
        assert.deepStrictEqual(
          requests.filter((url) => !url.includes("/assets/later-")),
          []
        )
      })
    )

    it.effect("work without JavaScript: pasted rows are sent, shown and corrected", () =>
      Effect.gen(function* () {
        const { page, server } = yield* openPage
        const submit = () => follow(page, "#past button[type=submit]")
        yield* Effect.promise(async () => {
          await page.setJavaScriptEnabled(false)
          await page.setViewport({ width: 360, height: 900 })
          await page.goto(server.url)
          await open(page)
          await page.type("#history", "Campaign,Sent,Replies,Owner\nMarch,0,50,Ada\nApril,3100,96,Bob")
          await submit()
          await shows(page, "#past", "“March” is left out: no number of emails.")
          await page.goto(`${server.url}/?history=4200..5000.....March_3100..96.....April&${rates}`)
          assert.match(await page.title(), /^Error: /)
          await waitForValue(
            page,
            "document.querySelector('.error-summary li').textContent",
            "“March”: replies must be at most the number of emails sent."
          )
          await waitForValue(
            page,
            "document.querySelector('.row-errors .error').textContent.slice(0, 13)",
            "“March”: repl"
          )
          await page.click(".error-summary a")
          await focusIs(page, "history/0/replies")
          await inspect(page, "past-unscripted-errors")
          await page.goto(`${server.url}/?${rates}&history=4200..210.....March`)
          assert.include(await valueAt(page, "#history"), "March\t4200\t\t210")
          await page.focus("#history")
          await page.keyboard.down("Control")
          await page.keyboard.press("End")
          await page.keyboard.up("Control")
          await page.keyboard.sendCharacter("\nApril\t3100\t\t96")
          await submit()
          assert.strictEqual(await valueAt(page, cell(1, "replies")), "96")
          await waitForValue(page, "document.querySelector('#history-answer .says').textContent.slice(0, 6)", "Expect")
          await waitForValue(page, "document.querySelector('#history-sums').textContent.includes('7,300')", true)
        })
      })
    )
  })
})
