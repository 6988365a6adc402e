import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { pause } from "../../test/support/Sockets.ts"
import { type Attack, countOf, send, type Target } from "./Attack.ts"

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

const filesBelow = (directory: string): ReadonlyArray<string> =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []

/** The mails to a domain, without the line breaks that quoted-printable adds. */
const mailsTo = ({ directory }: Target, domain: string) =>
  filesBelow(join(directory, "data", "mail"))
    .map((file) => readFileSync(file, "utf8").replaceAll(/=\r?\n/g, ""))
    .filter((mail) => new RegExp(`^To: .*@${domain}`, "m").test(mail))

const ask = ({ server }: Target, name: string, email: string) =>
  send(`${server.url}/api/v1/access-requests`, { body: JSON.stringify({ name, email, company: "Acme" }) })

const awaitMails = Effect.fnUntraced(function* (target: Target, domain: string, count: number) {
  for (let i = 0; i < 400 && mailsTo(target, domain).length < count; i++) yield* pause(50)
  return mailsTo(target, domain)
})

export const strangersText: Attack = {
  name: "names with a link or a telephone number in mails",
  run: Effect.fnUntraced(function* (target) {
    const bad = ["Win http://evil.example/x", "Call +1 800 555 0100", "evil.example/win"]
    const replies = yield* Effect.forEach(bad, (name, i) => ask(target, name, `victim${i}@victims.example`))
    const mails = yield* awaitMails(target, "victims.example", countOf(replies, 202))
    const carrying = mails.filter((mail) => /evil\.example|555 0100/.test(mail)).length
    return {
      figure: `${countOf(replies, 400)} of ${bad.length} names refused, ${mails.length} mails, ${carrying} with their text`,
      isDefended: countOf(replies, 400) + mails.length === bad.length && carrying === 0
    }
  })
}

export const manySpellings: Attack = {
  name: "free credits for spellings of one address",
  run: Effect.fnUntraced(function* (target) {
    const addresses = ["ada+1@people.example", "ada+2@people.example", "ADA@people.example"]
    for (const address of addresses) yield* ask(target, "Ada Lovelace", address)
    const noAddress = yield* ask(target, "Ada Lovelace", "a@b..c")
    const mails = yield* awaitMails(target, "people.example", addresses.length)
    const tokens = new Set(mails.flatMap((mail) => /\/([\w-]{43})\b/.exec(mail)?.[1] ?? []))
    const shown = yield* Effect.forEach([...tokens], (token) =>
      send(`${target.server.url}/api/v1/access-requests/confirm`, { body: JSON.stringify({ token }) })
    )
    const granted = shown
      .map(({ text }) => Number(/"credits_remaining":(\d+)/.exec(text)?.[1] ?? 0))
      .reduce((sum, credits) => sum + credits, 0)
    return {
      figure: `${tokens.size} links, ${granted} credits in all; a@b..c ${noAddress.status}`,
      isDefended: granted === 100 && noAddress.status === 400
    }
  })
}

export const pages: Attack = {
  name: "pages with names of JavaScript in their query, and their headers",
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
  run: ({ directory }) =>
    Effect.sync(() => {
      const files = filesBelow(join(directory, "data"))
      const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0)
      return {
        figure: `${open.length} of ${files.length} files can be read by others`,
        isDefended: files.length > 0 && open.length === 0
      }
    })
}
