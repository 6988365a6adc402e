import { integer, people, times } from "../../../text/Figures.ts"
import { toDouble } from "../../../forecast/Decimal.ts"
import { type Html, html } from "../../../text/html.ts"
import type { Calculation } from "../Calculation.ts"

/** The test of a few lists that is advised; undefined if none is worth it. */
const advisedTest = (tests: Calculation["forecast"]["test_first"]) =>
  tests?.find(({ lists }) => lists === 3) ?? tests?.[0]

/** The gain of testing a few lists first; empty if it is not worth it. */
export const testFirstView = ({ forecast: { outlook, test_first: tests } }: Calculation): Html => {
  const advised = advisedTest(tests)
  return advised === undefined
    ? html``
    : html`The best of ${advised.lists} lists brings ${people(advised.replies)} replies on average instead of ${people(outlook.replies.expected)}.`
}

/** The steps of a test, and the gain of each test; empty if none is worth it. */
export const testFirstTable = ({ forecast: { outlook, test_first: tests }, input: { first } }: Calculation): Html => {
  const advised = advisedTest(tests)
  if (tests === null || advised === undefined) return html``
  const { emails_each: each, lists } = advised
  const rest = toDouble(first.assumptions.emails_sent) - lists * each
  return html`<p>Send ${integer(each)} emails to each of ${lists} lists, wait for the replies and count them, positive ones twice. Then send the other ${integer(rest)} to the list with the highest count.</p>
<table class="levers"><thead><tr><th scope="col">Test</th><th scope="col">emails to each</th><th scope="col">replies in total</th><th scope="col">that is</th></tr></thead>
<tbody><tr><th scope="row">none</th><td></td><td>${people(outlook.replies.expected)}</td><td></td></tr>
${tests.map(
  (test) =>
    html`<tr><th scope="row">${test.lists} lists</th><td>${integer(test.emails_each)}</td><td><strong>${people(test.replies)}</strong></td><td>${times(test.factor)}</td></tr>`
)}</tbody></table>
<p class="hint">Averages if you choose by replies alone. Counting positive ones twice brings about as many replies, more of them positive. All lists must be of people like those of your plan. First emails can be tested in the same way.</p>`
}
