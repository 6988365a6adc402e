import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { calculate } from "../../../src/extensions/calculator/Calculation.ts"
import { flightFunnelDrawing } from "../../../src/extensions/calculator/drawings/FunnelDrawing.ts"
import { glanceView } from "../../../src/extensions/calculator/views/Glance.ts"
import { flightView } from "../../../src/extensions/calculator/views/Flight.ts"
import { sendingDrawing } from "../../../src/extensions/calculator/drawings/SendingDrawing.ts"
import { addressOf, valuesOf } from "../../../src/extensions/calculator/Presets.ts"
import { readForm } from "../../../src/extensions/calculator/readForm.ts"
import { snippets } from "../../../src/extensions/calculator/views/Snippets.ts"
import { computeProgress } from "../../../src/extensions/progress/Progress.ts"
import { decodeProgressRequest, exampleInFlight } from "../../../src/extensions/progress/ProgressRequest.ts"
import { decodeJson } from "../../../src/input/parseJson.ts"
import { sampleValues } from "../support/sampleValues.ts"
import type { FormValues } from "../../../src/site/form.ts"

const counts: FormValues = {
  so_far_emails_sent: "2,000",
  so_far_replies: "62",
  so_far_positive_replies: "14",
  so_far_meetings: "4",
  so_far_clients: "1",
  open_replies: "7",
  open_positive_replies: "4",
  open_meetings: "2"
}

const read = (values: FormValues) => readForm({ ...sampleValues, ...values })

const calculation = (values: FormValues, atOnce = false) => {
  const { errors, input } = read(values)
  if (input === undefined) throw new Error(JSON.stringify(errors))
  return calculate(input, computeProgress, atOnce)
}

const errorsOf = (values: FormValues) =>
  Object.fromEntries(read(values).errors.map(({ message, pointer }) => [pointer, message]))

const viewOf = (values: FormValues) => flightView(calculation(values)).text

const plain = (text: string) => text.replaceAll(/<[^>]*>/g, "")

describe("a campaign in flight in the form", () => {
  it("is what the API computes", () => {
    assert.deepStrictEqual(calculation(counts).flight, computeProgress(exampleInFlight))
    assert.deepStrictEqual(
      calculation({ ...counts, emails_left: "750" }).flight,
      computeProgress({ ...exampleInFlight, emailsLeft: 750 })
    )
  })

  it("is absent without counts", () => {
    const { flight, input } = calculation({})
    assert.deepStrictEqual([flight, input.flight, viewOf({})], [undefined, undefined, ""])
  })

  it("learns from past campaigns like the API, once", () => {
    const history = "3200..61.19.5..1_2900..44.14.4..0_4100..160.41.9..3"
    const { flight, input } = calculation({ ...counts, history })
    const { assumptions } = input.first
    assert.deepStrictEqual(flight, computeProgress({ ...exampleInFlight, assumptions }))
    assert.notDeepEqual(flight, computeProgress(exampleInFlight))
  })

  it("shows the plan as it was planned, whatever past campaigns teach", () => {
    const learned = plain(viewOf({ ...counts, history: "3000..60_2000..70_9000..100" }))
    for (const shown of [plain(viewOf(counts)), learned]) {
      assert.match(shown, /Planned\s*3\.75\s*4 or more in/)
      assert.include(shown, "planned 250")
    }
  })

  it("shows what is wrong next to each field, all at once", () => {
    assert.deepStrictEqual(
      errorsOf({
        ...counts,
        so_far_replies: "2001",
        open_positive_replies: "11",
        open_meetings: "1.5",
        emails_left: "-1"
      }),
      {
        "/so_far_replies": "must be at most the number of emails sent",
        "/open_positive_replies": "must be at most 10: positive replies less meetings booked",
        "/open_meetings": "must be a whole number",
        "/emails_left": "must be from 0 to 100,000"
      }
    )
    assert.deepStrictEqual(errorsOf({ so_far_emails_sent: "10", open_replies: "3" }), {
      "/so_far_replies": "is missing; write 0 if there are none yet",
      "/so_far_positive_replies": "is missing; write 0 if there are none yet",
      "/so_far_meetings": "is missing; write 0 if there are none yet",
      "/so_far_clients": "is missing; write 0 if there are none yet"
    })
  })

  it("has the counts of optional rates if and only if the plan has these rates", () => {
    assert.deepStrictEqual(errorsOf({ ...counts, so_far_delivered: "1900", open_meetings_held: "1" }), {
      "/delivery_rate": "is required for delivered so far; write a number like 95",
      "/show_rate": "is required for open meetings held; write a number like 80"
    })
    const rates = { ...counts, delivery_rate: "95", show_rate: "80" }
    assert.deepStrictEqual(errorsOf(rates), {
      "/so_far_delivered": "is required if the plan has a delivery rate; write 0 if there are none yet",
      "/so_far_meetings_held": "is required if the plan has a show rate; write 0 if there are none yet"
    })
    const held = { ...rates, so_far_delivered: "1900", so_far_meetings_held: "3" }
    assert.deepStrictEqual(errorsOf({ ...held, open_emails: "1839" }), {
      "/open_emails": "must be at most 1,838: delivered emails less replies",
      "/open_meetings": "must be at most 1: meetings booked less meetings held"
    })
    assert.deepStrictEqual(errorsOf({ ...held, open_meetings: "1", open_meetings_held: "2" }), {})
  })

  it("has at most 100,000 open cases, all together", () => {
    const large = {
      so_far_emails_sent: "400000",
      so_far_replies: "200000",
      so_far_positive_replies: "100000",
      so_far_meetings: "1",
      so_far_clients: "0",
      emails_left: "10"
    }
    assert.deepStrictEqual(errorsOf({ ...large, open_emails: "90000", open_replies: "10001" }), {
      "/open_emails": "must be at most 100,000 together with the other open cases"
    })
    assert.deepStrictEqual(errorsOf({ ...large, open_emails: "90000", open_replies: "10000" }), {})
  })

  it("cannot contradict a rate", () => {
    assert.deepStrictEqual(errorsOf({ ...counts, close_rate: "0", positive_reply_rate: "100" }), {
      "/close_rate": "cannot be 0%: so far it is 1 of 2 (clients of decided meetings booked)",
      "/positive_reply_rate": "cannot be 100%: so far it is 14 of 55 (positive replies of decided replies)"
    })
    const all = {
      ...counts,
      delivery_rate: "100",
      so_far_delivered: "1900",
      show_rate: "100",
      so_far_meetings_held: "3"
    }
    assert.deepStrictEqual(errorsOf({ ...all, open_meetings: "0" }), {
      "/delivery_rate": "cannot be 100%: so far it is 1,900 of 2,000 (delivered emails of decided emails sent)",
      "/show_rate": "cannot be 100%: so far it is 3 of 4 (meetings held of decided meetings booked)"
    })
  })

  it("must say how many emails are left if the plan leaves more than can be computed", () => {
    const many = { ...counts, emails_sent: "1,000,000" }
    assert.deepStrictEqual(errorsOf(many), {
      "/emails_left": "must be given, at most 100,000: the plan leaves 998,000; write a number like 3000"
    })
    assert.deepStrictEqual(errorsOf({ ...many, emails_left: "100000" }), {})
  })

  it("is kept in the address", () => {
    const { values } = calculation(counts).input
    const parameters = new URLSearchParams(addressOf(values).slice(2))
    assert.deepStrictEqual(readForm(valuesOf(parameters)).input?.flight, exampleInFlightCounts)
  })

  it("is computed immediately only if that takes milliseconds", () => {
    const long = { ...counts, emails_left: "20000" }
    assert.strictEqual(calculation(long, true).flight, undefined)
    assert.include(flightView(calculation(long, true)).text, "data-served")
    assert.isDefined(calculation(long).flight)
    const nothingOpen = { ...long, open_replies: "", open_positive_replies: "", open_meetings: "0" }
    assert.isDefined(calculation(nothingOpen, true).flight)
  })
})

const { assumptions: _, ...exampleInFlightCounts } = exampleInFlight

describe("the result for a campaign in flight", () => {
  it("shows the end as a range next to the plan, and explains bad luck or a bad plan in plain words", () => {
    const text = plain(viewOf(counts))
    assert.include(text, "Expect 2 to 9 clients at the end, 1 of them already won.")
    assert.include(text, "Planned3.75 4 or more in 61 of 100")
    assert.include(
      text,
      "Reply rate: 3.1% (62 of 2,000 decided) instead of 5%: could be chance. 33 of 100 campaigns with this plan get no more."
    )
    assert.notInclude(text, "furthest below the plan")
    const bad = plain(
      viewOf({
        so_far_emails_sent: "1000",
        so_far_replies: "50",
        so_far_positive_replies: "4",
        so_far_meetings: "1",
        so_far_clients: "1"
      })
    )
    assert.match(
      bad,
      /Positive reply rate: 8% \(4 of 50 decided\) instead of 30%: a bad plan rather than bad luck\.[^.]*\. furthest below the plan/
    )
    assert.include(bad, "Reply rate: 5% (50 of 1,000 decided), exactly as planned.")
    assert.include(bad, "Before sending more, change the offer or its audience")
    // No field is called by its name in the API.
    assert.notMatch(text + bad, /[a-z]_[a-z]|open\.emails/)
  })

  it("shows the end in the bar that stays visible, too", () => {
    assert.include(
      plain(glanceView(calculation(counts)).text),
      "2 to 9 clients at the end in 80 of 100 100 of 100 cover their cost"
    )
  })

  it("offers no further emails after the last one", () => {
    const text = viewOf({ ...counts, emails_left: "0" })
    assert.notInclude(text, "Go on or stop?")
    assert.include(viewOf(counts), "Go on or stop?")
  })

  it("shows calls in each language that compute the same as the page", () => {
    const { flight, input } = calculation({ ...counts, emails_left: "750" })
    const { curl, python, typescript } = snippets(input, { baseUrl: "https://forecast.example", hasDemoKey: true })
    const body = /api\/v1\/progress.*?-d '(\{.*?\})'/s.exec(curl)?.[1] ?? ""
    const request = Result.getOrThrow(decodeJson(body, decodeProgressRequest))
    assert.deepStrictEqual(computeProgress(request), flight)
    assert.match(
      python,
      /client\.progress\(\n {4}\{\n {8}"emails_sent": 5000,[^}]*\},\n {4}so_far=\{[^}]*\},\n {4}open=\{[^}]*\},\n {4}emails_left=750,\n\)/
    )
    assert.match(
      typescript,
      /client\.progress\(\{\n {2}emails_sent: 5000,[^}]* {2}so_far: \{[^}]*\},\n {2}open: \{[^}]*\},\n {2}emails_left: 750\n\}\)/
    )
  })
})

/** The segments of the bars of a kind, in order: their starts and lengths. */
const bars = (svg: string, kind: string, from: string, length: string) =>
  [...svg.matchAll(/<rect class="(\w+)"([^>]*)>/g)]
    .filter(([, found]) => found === kind)
    .map(([, , attributes = ""]) =>
      [from, length].map((name) => Number(new RegExp(` ${name}="([\\d.]+)`).exec(attributes)?.[1]))
    )

describe("the drawings of a campaign in flight", () => {
  it("fill the funnel up to now and hatch it up to the expected end, on one logarithmic scale", () => {
    const stages = [
      { name: "Emails sent", soFar: 2000, expected: 5000, planned: 5000 },
      {
        name: "Replies",
        soFar: 62,
        expected: 156.2815,
        planned: 250,
        end: { low: 137, high: 176, chance_within: 0.819 }
      }
    ]
    const svg = flightFunnelDrawing(stages).text
    const at = (count: number) => Math.round((Math.log1p(count) / Math.log1p(5000)) * 1e4) / 100
    assert.deepStrictEqual(
      bars(svg, "gain", "x", "width"),
      stages.map(({ soFar }) => [0, at(soFar)])
    )
    for (const [index, [start = 0, length = 0]] of bars(svg, "hatched", "x", "width").entries()) {
      const { expected = 0, soFar = 0 } = stages[index] ?? {}
      assert.strictEqual(start, at(soFar))
      assert.closeTo(start + length, at(expected), 0.02)
    }
    assert.include(svg, `<line class="threshold" x1="${at(250)}%"`)
    assert.deepStrictEqual(
      [...svg.matchAll(/<circle class="dot" cx="([\d.]+)%"/g)].map(([, x]) => Number(x)),
      [at(156.2815)]
    )
    assert.include(svg, "Replies: 62 so far, 250 planned; 156 at the end; 137 to 176 in 82 of 100")
  })

  it("plot clients against emails, from stopping now at the left edge, on a linear scale from 0", () => {
    const response = computeProgress(exampleInFlight)
    const svg = sendingDrawing(response, 0.48).text
    const solid = bars(svg, "gain", "y", "height")
    const hatched = bars(svg, "hatched", "y", "height")
    // One client is already won, whatever is sent.
    const [[, client = 0] = []] = solid
    assert.isAbove(client, 1)
    assert.deepStrictEqual(new Set(solid.map(([, height]) => height)), new Set([client]))
    for (const [index, { expected }] of response.if_you_send.entries()) {
      assert.closeTo((hatched[index]?.[1] ?? 0) / client, expected - 1, 1e-6)
    }
    const places = bars(svg, "hatched", "x", "width").map(([x = 0]) => x)
    const steps = places.slice(1).map((x, index) => x - (places[index] ?? 0))
    for (const step of steps) assert.closeTo(step, steps[0] ?? 0, 0.02)
    assert.match(svg, /<text class="tick" x="6[\d.]*%"[^>]*>stop</)
    assert.include(svg, "Clients at the end against emails still to send. 1 client so far, 0.48 planned")
    assert.include(svg, "Stop now; 2.31 clients on average; 1 to 4")
  })
})
