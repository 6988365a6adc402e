import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { openClient, pause } from "../../test/support/Sockets.ts"
import { type Attack, countOf, dataOf, filesBelow, send, type Target, valueOf, within } from "./Attack.ts"

export const hiddenMetrics: Attack = {
  name: "spellings of /metrics on the public port",
  run: Effect.fnUntraced(function* ({ admin, server }) {
    const paths = ["/metrics", "/metrics/", "//metrics", "/metrics;x", "/METRICS", "/%6detrics", "/metrics?x"]
    const replies = yield* Effect.forEach(paths, (path) => send(`${server.url}${path}`))
    const own = yield* send(`${admin}/metrics`)
    return {
      figure: `${countOf(replies, 404)} of ${paths.length} not found, the operator's ${own.status}`,
      isDefended: countOf(replies, 404) === paths.length && own.status === 200
    }
  })
}

/** The mails to a domain, without the soft line breaks of quoted-printable. */
const mailsTo = (target: Target, domain: string) =>
  filesBelow(join(dataOf(target), "mail"))
    .map((file) => readFileSync(file, "utf8").replaceAll(/=\r?\n/g, ""))
    .filter((mail) => new RegExp(`^To: .*@${domain}`, "m").test(mail))

const request = ({ server }: Target, name: string, email: string) =>
  send(`${server.url}/api/v1/access-requests`, { body: JSON.stringify({ name, email, company: "Acme" }) })

const awaitMails = Effect.fnUntraced(function* (target: Target, domain: string, count: number) {
  for (let i = 0; i < 400 && mailsTo(target, domain).length < count; i++) yield* pause(50)
  return mailsTo(target, domain)
})

export const strangersText: Attack = {
  name: "names with a link or a telephone number in mails",
  run: Effect.fnUntraced(function* (target) {
    const bad = ["Win http://evil.example/x", "Call +1 800 555 0100", "evil.example/win"]
    const replies = yield* Effect.forEach(bad, (name, i) => request(target, name, `victim${i}@victims.example`))
    const mails = yield* awaitMails(target, "victims.example", countOf(replies, 202))
    const carrying = mails.filter((mail) => /evil\.example|555 0100/.test(mail)).length
    return {
      figure: `${countOf(replies, 400)} of ${bad.length} names refused, ${mails.length} mails, ${carrying} with their text`,
      isDefended: countOf(replies, 400) + mails.length === bad.length && carrying === 0
    }
  })
}

const grants = (name: string, domain: string, addresses: ReadonlyArray<string>): Attack => ({
  name,
  run: Effect.fnUntraced(function* (target) {
    const asked = yield* Effect.forEach(addresses, (address) => request(target, "Ada Lovelace", address))
    const mails = yield* awaitMails(target, domain, countOf(asked, 202))
    const tokens = new Set(mails.flatMap((mail) => /\/([\w-]{43})\b/.exec(mail)?.[1] ?? []))
    const shown = yield* Effect.forEach([...tokens], (token) =>
      send(`${target.server.url}/api/v1/access-requests/confirm`, { body: JSON.stringify({ token }) })
    )
    const granted = shown
      .map(({ text }) => Number(/"credits_remaining":(\d+)/.exec(text)?.[1] ?? 0))
      .reduce((sum, credits) => sum + credits, 0)
    return {
      figure: `${countOf(asked, 202)} of ${addresses.length} spellings accepted, ${tokens.size} links, ${granted} credits in total`,
      isDefended: granted === 100 && tokens.size === mails.length && mails.length === countOf(asked, 202)
    }
  })
})

export const manySpellings = grants("free credits for spellings of one address", "people.example", [
  "ada+1@people.example",
  "ada+2@people.example",
  "ADA@people.example"
])

export const internationalSpellings = grants(
  "free credits for spellings of one international address",
  "(?:xn--mller-kva|m.+ller)\\.example",
  ["joerg+1@m\u00fcller.example", "joerg@xn--mller-kva.example", "JOERG@mu\u0308ller.example"]
)

export const noAddress: Attack = {
  name: "mail to invalid addresses",
  run: Effect.fnUntraced(function* (target) {
    const addresses = ["a@b..c", "a@127.0.0.1", "a b@c.example", "a@b.example\r\nBcc: c@d.example"]
    const replies = yield* Effect.forEach(addresses, (address) => request(target, "Ada Lovelace", address))
    return {
      figure: `${countOf(replies, 400)} of ${addresses.length} refused`,
      isDefended: countOf(replies, 400) === addresses.length
    }
  })
}

export const pendingName: Attack = {
  name: "a stranger gives another name for an address that awaits confirmation",
  run: Effect.fnUntraced(function* (target) {
    yield* request(target, "Ada Lovelace", "ada@pending.example")
    const { status } = yield* request(target, "Mallory Malory", "ada@pending.example")
    const mails = yield* awaitMails(target, "pending.example", 2)
    const name = valueOf(target, "SELECT group_concat(name) FROM api_keys WHERE email = 'ada@pending.example'")
    const carrying = mails.filter((mail) => mail.includes("Mallory")).length
    return {
      figure: `${status}; the name is ${String(name)}, ${carrying} of ${mails.length} mails with the other`,
      isDefended: status === 202 && name === "Ada Lovelace" && mails.length === 2 && carrying === 0
    }
  })
}

export const pages: Attack = {
  name: "pages with names of object properties in their query, and their headers",
  run: Effect.fnUntraced(function* ({ server }) {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"]
    const replies = yield* Effect.forEach(names, (name) => send(`${server.url}/credits?payment=${name}`))
    const docs = yield* send(`${server.url}/docs`)
    const scripts = /script-src [^;]*/.exec(docs.headers.get("content-security-policy") ?? "")?.[0] ?? "no script-src"
    const types = [...replies, docs].map(({ headers }) => headers.get("content-type") ?? "")
    return {
      figure: `${countOf(replies, 200)} of ${names.length} pages, /docs with ${scripts}`,
      isDefended:
        replies.every(({ status, text }) => status === 200 && !/native code|\[object/.test(text)) &&
        scripts === "script-src 'self'" &&
        types.every((type) => type.includes("charset=utf-8"))
    }
  })
}

export const readableFiles: Attack = {
  name: "other users of the machine read the files",
  run: (target) =>
    Effect.sync(() => {
      const files = filesBelow(dataOf(target))
      const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0)
      return {
        figure: `${open.length} of ${files.length} files can be read by others`,
        isDefended: files.length > 0 && open.length === 0
      }
    })
}

export const forgedHost: Attack = {
  name: "a forged host in the headers: where links in mails and pages lead",
  run: Effect.fnUntraced(function* (target) {
    const { port, url } = target.server
    const forged = [
      "Host: evil.example",
      "X-Forwarded-Host: evil.example",
      "X-Forwarded-Proto: ftp",
      "X-Forwarded-For: 198.51.100.1",
      "Forwarded: for=198.51.100.1;host=evil.example;proto=ftp",
      "X-Original-URL: http://evil.example/",
      "Connection: close"
    ].join("\r\n")
    const body = JSON.stringify({ name: "Ada", email: "ada@forged.example", company: "Acme" })
    const request = (start: string, body = "") =>
      openClient(
        port,
        `${start} HTTP/1.1\r\n${forged}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      )
    const clients = [
      yield* request("POST /api/v1/access-requests", body),
      yield* request("GET /nothing"),
      yield* request("GET /docs"),
      yield* request("GET /llms.txt")
    ]
    yield* within(10_000, () => clients.every(({ isClosed }) => isClosed()))
    const mails = yield* awaitMails(target, "forged.example", 1)
    const texts = [...mails, ...clients.map(({ received }) => received())]
    const led = texts.filter((text) => text.includes("evil.example") || text.includes("ftp://")).length
    const own = mails.filter((mail) => mail.includes(`${url}/confirm/`)).length
    return {
      figure: `${led} of ${texts.length} mails and answers name it, ${own} of ${mails.length} mails lead to the service`,
      isDefended: led === 0 && mails.length === 1 && own === 1
    }
  })
}
