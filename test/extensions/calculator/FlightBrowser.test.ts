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
  waitForValue
} from "../../support/Browser.ts"
import { slowly } from "../../support/slowly.ts"

const plan =
  "emails_sent=5000&reply_rate=5&positive_reply_rate=30&meeting_booking_rate=20&close_rate=25&average_deal_value=2500&campaign_cost=600"
const counts = {
  so_far_emails_sent: "2000",
  so_far_replies: "62",
  so_far_positive_replies: "14",
  so_far_meetings: "4",
  so_far_clients: "1",
  open_replies: "7",
  open_positive_replies: "4",
  open_meetings: "2"
}

const htmlOf = (page: Page): Promise<unknown> => page.evaluate("document.querySelector('#flight-answer').innerHTML")

const typeCounts = async (page: Page) => {
  for (const [field, text] of Object.entries(counts)) {
    // One key after the other.
    await retype(page, field, text)
  }
}

describe.skipIf(browserObstacle !== undefined)(
  "a campaign in flight on the calculator's page, in a browser",
  slowly,
  () => {
    layer(SharedService.layer, { excludeTestServices: true })((it) => {
      it.effect(
        "is computed while its counts are typed, with errors next to the fields, and is kept in the address",
        () =>
          Effect.gen(function* () {
            const { foreign, page, problems, server } = yield* openPage
            yield* Effect.promise(() => page.goto(`${server.url}/?${plan}`))
            const requests: Array<string> = []
            page.on("request", (request) => requests.push(request.url()))
            yield* Effect.promise(async () => {
              assert.isFalse(await page.evaluate("document.querySelector('#flight details').open"))
              await page.click("#flight summary")
              await retype(page, "so_far_emails_sent", "2000")
              await shows(
                page,
                "#flight-answer",
                "To see the end, enter replies, positive replies, meetings booked and clients too: 0 if there are none yet."
              )
              assert.strictEqual(await page.$("#flight .error"), null)
              assert.isFalse(await page.evaluate("document.querySelector('#outcome').inert"))
              await typeCounts(page)
              await shows(page, "#flight-answer", "Expect 2 to 9 clients at the end, 1 of them already won.")
              assert.strictEqual(await page.$("#flight .error"), null)
              await retype(page, "open_meetings", "4")
              await shows(
                page,
                "#open_meetings-error",
                "Open meetings booked must be at most 3: meetings booked less clients."
              )
              assert.isTrue(await page.evaluate("document.querySelector('#flight-answer').inert"))
              await retype(page, "so_far_replies", "2001")
              await shows(page, "#so_far_replies-error", "Replies so far must be at most the number of emails sent.")
              await inspect(page, "flight-errors")
              await typeCounts(page)
              await shows(page, "#spoken", "Expect 2 to 9 clients at the end")
              await shows(page, "#code-curl", '"open": {"replies": 7, "positive_replies": 4, "meetings": 2}')
              // A count for an optional rate appears with the rate.
              assert.isTrue(
                await page.evaluate("document.querySelector('#so_far_meetings_held').closest('.field').hidden")
              )
              await page.click("#calculator details:not(#cost-parts) summary")
              await retype(page, "show_rate", "80")
              await shows(page, "#flight-answer", "enter meetings held too")
              await retype(page, "so_far_meetings_held", "3")
              await retype(page, "open_meetings", "1")
              await shows(page, "#flight-answer", "Show rate: 100% (3 of 3 decided) instead of 80%")
              await retype(page, "show_rate", " ")
              await shows(
                page,
                "#show_rate-place",
                "Show rate is required for meetings held so far; write a number like 80."
              )
              await retype(page, "so_far_meetings_held", " ")
              await retype(page, "open_meetings", "2")
              await shows(page, "#flight-answer", "Expect 2 to 9 clients at the end")
            })
            // The computation loads with the first counts; nothing is sent.
            assert.isTrue(requests.every((url) => url.startsWith(`${server.url}/assets/later-`)))
            yield* Effect.promise(async () => {
              await waitForValue(page, "document.querySelectorAll('#flight-answer svg.drawing').length", 2)
              assert.strictEqual(await page.evaluate("document.querySelectorAll('[style]').length"), 0)
              await inspect(page, "flight")
            })
            const [before, after] = yield* Effect.promise(async () => {
              const before = await htmlOf(page)
              await addressContains(page, "so_far_replies=62")
              await page.reload()
              assert.isTrue(await page.evaluate("document.querySelector('#flight details').open"))
              return [before, await htmlOf(page)]
            })
            assert.deepStrictEqual(after, before)
            assert.deepStrictEqual([foreign, problems], [[], []])
          })
      )

      it.effect("is computed by the service if that takes long", () =>
        Effect.gen(function* () {
          const { page, server } = yield* openPage
          yield* Effect.promise(async () => {
            const query = new URLSearchParams({ ...counts, emails_left: "9000" }).toString()
            await page.goto(`${server.url}/?${plan}&${query}`)
            await shows(page, "#flight-answer", "at the end")
            await retype(page, "emails_left", "20000")
            await shows(
              page,
              "#flight-answer",
              "With 20,000 emails to come, this takes too long to calculate while you type."
            )
            await follow(page, "#flight-answer button")
            await shows(page, "#flight-answer", "at the end")
            assert.include(page.url(), "emails_left=20000")
          })
        })
      )

      it.effect("works without JavaScript", () =>
        Effect.gen(function* () {
          const { page, server } = yield* openPage
          const submit = () => follow(page, "#flight-submit")
          yield* Effect.promise(async () => {
            await page.setJavaScriptEnabled(false)
            await page.setViewport({ width: 360, height: 900 })
            await page.goto(`${server.url}/?${plan}`)
            await page.click("#flight summary")
            await typeCounts(page)
            await retype(page, "so_far_clients", "5")
            await submit()
            assert.match(await page.title(), /^Error: /)
            await waitForValue(
              page,
              "document.querySelector('.error-summary li').textContent",
              "Clients so far must be at most the number of meetings booked."
            )
            await page.click(".error-summary a")
            await focusIs(page, "so_far_clients")
            await retype(page, "so_far_clients", "1")
            await submit()
            await waitForValue(
              page,
              "document.querySelector('#flight-answer .says').textContent",
              "Expect 2 to 9 clients at the end, 1 of them already won."
            )
          })
        })
      )
    })
  }
)
