import { fieldNames } from "../../../src/campaign/Fields.ts"
import { seeded } from "../../../test/support/Seeded.ts"

/** A request body as text, and the path that it is sent to. */
export interface BodyText {
  readonly path: string
  readonly text: string
}

/** Kinds of bodies, by how they are written. */
export const bodyKinds = ["form", "json", "csv", "mcp"] as const
export type BodyKind = (typeof bodyKinds)[number]

/** Values to choose from. */
type Choices<A> = readonly [A, ...ReadonlyArray<A>]

/** Texts that readers may take long for if there are many of them. */
const atoms: Choices<string> = [
  "&",
  "\\",
  ..."= % + , ; . \" ' < > _ - / * ( ) [ ] { } : # @ |".split(" "),
  ..." ~\t~\n~\r~\u00a0~\u0301~\u200b~\uFEFF~\uFFFD~€~½".split("~"),
  ..."1 9 0 a x A é 😀 1_ 1. 1, 1,000. 1.000, 1e9 0.1 -1 5k 5% 5- €5 1/2 %22 %2C %0A %09 %ED%A0%80 amp; a& a= a=1& &amp;".split(
    " "
  ),
  '""',
  '","',
  '"\n',
  "\r\n",
  ",1\n",
  "a\t1\n",
  "1.1.1.1.1.1.1.a_",
  "Total\t9\n",
  "2026-01-02\n",
  "N/A,",
  "A\n",
  "1000,50\n"
]

const jsonAtoms: Choices<string> = [
  "1",
  "-1",
  "1e999",
  "0.1",
  '""',
  '"\\\\"',
  '"\\u0041"',
  '"\\ud800"',
  '"é"',
  "null",
  "true",
  "[]",
  "{}",
  "[[]]",
  '{"a":1}',
  '{"a":1,"a":1}',
  '{"emails_sent":1}',
  '{"emails_sent":"x","replies":"x","clients":"x"}'
]

const numbers: Choices<string> = [
  "goal",
  ...fieldNames,
  "goal_chance",
  "b_reply_rate",
  "so_far_replies",
  "open_emails",
  "emails_left"
]

const plan = '"emails_sent":5000,"reply_rate":5,"positive_reply_rate":30,"meeting_booking_rate":20,"close_rate":25'

/** The JSON endpoints, with the largest bodies that they read, in KiB, and the objects in their requests. */
const jsonPaths: Choices<readonly [path: string, limit: number, members: Choices<string>]> = [
  ["/api/v1/forecast", 64, ["history", "evidence"]],
  ["/api/v1/service/roi", 64, ["history"]],
  ["/api/v1/goals", 64, ["goal", "history"]],
  ["/api/v1/progress", 64, ["so_far", "open", "history"]],
  ["/api/v1/forecasts", 1024, ["campaigns", "history", "independent"]],
  ["/api/v1/access-requests", 16, ["name", "email", "company"]],
  ["/api/v1/orders", 16, ["pack", "email"]],
  ["/api/v1/sub-keys", 16, ["name", "monthly_limit"]]
]

const tools: Choices<readonly [name: string, members: Choices<string>]> = [
  ["forecast", ["history", "evidence"]],
  ["reach_goal", ["goal", "history"]],
  ["campaign_progress", ["so_far", "open", "history"]],
  ["compare_campaigns", ["campaigns", "history", "independent", "detail"]],
  ["usage", ["x"]]
]

/** Draws bodies that are odd, and mostly wrong, up to the largest that is read. A seed always gives the same ones. */
export const makeDrawBody = (seed: number) => {
  const random = seeded(seed)
  const pick = <A>(values: Choices<A>): A => values[Math.floor(random() * values.length)] ?? values[0]
  /** A size in bytes: often nearly the limit, in KiB, or a part of it. */
  const sizeBelow = (limit: number) => Math.floor(limit * 1000 * pick([1, 1, 0.25, random() ** 2, random() ** 4]))

  /** One to three atoms, over and over. */
  const fill = (size: number, from: Choices<string>, separator = "") => {
    const own = Array.from({ length: pick([1, 1, 1, 2, 3]) }, () => pick(from))
    const unit = `${own.join(separator)}${separator}`
    return unit.repeat(Math.ceil(size / Math.max(1, unit.length))).slice(0, size)
  }

  const many = (size: number, write: (index: number) => string) => {
    const written: Array<string> = []
    for (let length = 0, index = 0; length < size; index++) {
      const next = write(index)
      written.push(next)
      length += next.length + 1
    }
    return written.join(",")
  }

  const form = (): BodyText => {
    const path = pick(["/", "/", "/report", "/embed", "/list", "/list", "/access", "/orders"])
    const size = sizeBelow(path === "/access" || path === "/orders" ? 16 : 128)
    const table = path === "/list" ? "list" : "history"
    const encode = pick([encodeURIComponent, String])
    const small = Array.from(
      { length: pick([0, 1, 8, 150]) },
      () => `${pick([...numbers, "b_name", "email"])}=${encode(fill(pick([3, 60, 300, 1000]), atoms).toWellFormed())}`
    )
    const header = pick([
      "",
      "",
      "Campaign\tSent\tReplies\n",
      "Sent,Replies\n",
      "Name,Emails sent,Reply rate,Positive reply rate,Meeting booking rate,Close rate\n",
      "Name,Emails sent,Reply rate\n",
      "emails_sent;reply_rate;close_rate;x;y;z\n"
    ])
    const large = encode(`${header}${fill(size, atoms)}`.toWellFormed())
    return { path, text: [...small, `${table}=${large}`].join("&").slice(0, size) }
  }

  /** A JSON value of about this size. */
  const json = (size: number): string => {
    const items = (write: (index: number) => string) => `[${many(size, write)}]`
    const object = (name: (index: number) => string, value: string) =>
      `{${many(size, (index) => `${name(index)}:${value}`)}}`
    const atom = pick(jsonAtoms)
    const ways: Choices<() => string> = [
      () => items(() => atom),
      () => items((index) => `{"emails_sent":${100 + index},"replies":${index % 90},"clients":${atom}}`),
      () => items((index) => `{"name":"${index}",${plan},"x":${atom}}`),
      () => items(() => `{${plan},"close_rate":${atom}}`),
      () => `[${object((index) => `"${index.toString(36)}"`, atom)}]`,
      () => object((index) => `"${index.toString(36)}"`, atom),
      () => object(() => '"a"', atom),
      () => object((index) => `"\\u0061${index}"`, atom),
      () => object((index) => `"${pick(numbers)}${index % 3}"`, atom),
      () =>
        `"${fill(size, [...atoms])
          .replaceAll(/[\\"\n\r\t]/g, "\\n")
          .toWellFormed()}"`,
      () => `"${pick(["\\u0061", "\\ud83d\\ude00", "\\ud800", "\\\\", '\\"'])}"`.padEnd(size),
      () => fill(size, ["1", "9", "0"]).replace(/^0+/, "1"),
      () => `1.${fill(size, ["0", "1", "9"])}`,
      () => "[".repeat(size / 2) + "]".repeat(size / 2),
      () => `${'{"a":'.repeat(size / 6)}1${"}".repeat(size / 6)}`,
      () => `${'[{"a":'.repeat(size / 8)}1${"}]".repeat(size / 8)}`
    ]
    return pick(ways)()
  }

  const jsonBody = (limit: number, members: Choices<string>): string => {
    const size = sizeBelow(limit)
    const value = json(Math.max(0, size - 200))
    const ways: Choices<() => string> = [
      () => `{${plan},"${pick(members)}":${value}}`,
      () => `{"so_far":{"emails_sent":1},"${pick(members)}":${value},${plan}}`,
      () =>
        `{"${pick(members)}":{"reply_rate":{"observed":${value}},"clients":${value.length < size / 2 ? value : 1}}}`,
      () => value,
      () => `${plan}${value}`
    ]
    return pick(ways)()
  }

  const draw: { readonly [kind in BodyKind]: () => BodyText } = {
    form,
    json: () => {
      const [path, limit, members] = pick(jsonPaths)
      // Lists of a mebibyte take a thread a tenth of a second.
      return { path, text: jsonBody(limit === 1024 && random() < 0.9 ? 64 : limit, members) }
    },
    csv: () => {
      const size = sizeBelow(random() < 0.05 ? 1024 : 32)
      const header = pick([
        "name,emails_sent,reply_rate,positive_reply_rate,meeting_booking_rate,close_rate",
        "emails_sent;reply_rate;positive_reply_rate;meeting_booking_rate;close_rate",
        fill(size / 2, ["a,", "emails_sent,", ",", '"",', "emails sent\t"]),
        many(size / 2, (index) => index.toString(36)),
        ""
      ])
      const ways: Choices<() => string> = [
        () => fill(size, atoms),
        () => `A,${fill(size, ["1", "9", "0", "1.", "1,", "1e"])}`,
        () => many(size, (index) => `${index},5000,5,30,20,25\n`).replaceAll("\n,", "\n"),
        () => many(size, (index) => `"${index}",${pick(atoms)},5,30,20,x\n`).replaceAll("\n,", "\n")
      ]
      const rows = pick(ways)()
      return { path: "/api/v1/forecasts", text: `${header}\n${rows}`.toWellFormed().slice(0, size) }
    },
    mcp: () => {
      const call = (limit: number) => {
        const [name, members] = pick(tools)
        return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${jsonBody(limit, members)}}}`
      }
      const messages = Array.from({ length: pick([1, 1, 1, 2, 20, 50, 51]) }, () => "")
      const text =
        messages.length === 1
          ? call(pick([16, 16, 64, 64, 1024]))
          : `[${messages.map(() => call(64 / messages.length)).join(",")}]`
      return { path: "/mcp", text: random() < 0.1 ? json(16_000) : text }
    }
  }
  return draw
}
