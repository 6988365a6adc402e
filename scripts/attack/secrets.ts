import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { temporaryDirectory } from "../../test/support/Application.ts"
import { run, until } from "../../test/support/Process.ts"
import { plainAuth, smtpServer } from "../../test/support/Smtp.ts"
import { type Attack, countOf, dataOf, filesBelow, send, startTarget } from "./Attack.ts"

/** Control sequences that clear the screen, set the clipboard, reverse the text direction and break the line. */
const malicious = "\u001b[2J\u001b]52;c;AA\u0007\u009b31m\u202eabc\u2066\u2028"
const controlCharacters = /[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/gu

export const terminal: Attack = {
  name: "control and direction characters in names, on the operator's terminal",
  run: Effect.fnUntraced(function* ({ directory, server }) {
    const owner = { name: `Ada ${malicious}`, email: "ada@evil.example", company: malicious }
    const order = yield* send(`${server.url}/api/v1/orders`, { body: JSON.stringify({ pack: "starter", ...owner }) })
    const asked = yield* send(`${server.url}/api/v1/access-requests`, { body: JSON.stringify(owner) })
    const args = ["--name", malicious, "--email", "bob@evil.example", "--company", malicious]
    const outputs = [yield* run(directory, ["keys", "issue", ...args])]
    for (const command of ["keys list", "orders list", "mails list"]) {
      outputs.push(yield* run(directory, command.split(" ")))
      outputs.push(yield* run(directory, [...command.split(" "), "--json"]))
    }
    const shown = outputs.map(({ stderr, stdout }) => stdout + stderr).join("") + server.stderr()
    const found = shown.match(controlCharacters)?.length ?? 0
    const escaped = shown.match(/\\u001b/g)?.length ?? 0
    return {
      figure: `order ${order.status}, request ${asked.status}; ${found} such characters in ${shown.length}, ${escaped} escaped`,
      isDefended: found === 0 && escaped > 0 && outputs.every(({ code }) => code === 0)
    }
  })
}

export const smtpPassword: Attack = {
  name: "a mail server that refuses the password and quotes it",
  run: Effect.fnUntraced(function* () {
    const password = "swordfish-of-the-operator"
    const { url } = yield* smtpServer
    const directory = yield* temporaryDirectory
    const { server } = yield* startTarget(directory, { MAIL_URL: url.replace("//", `//mailer:${password}@`) })
    const owner = { name: "Ada", email: "ada@people.example", company: "Acme" }
    yield* send(`${server.url}/api/v1/access-requests`, { body: JSON.stringify(owner) })
    yield* until(() => server.stderr().includes("mail deferred"))
    const secrets = [password, plainAuth("mailer", password), Buffer.from(password).toString("base64")]
    const places = [server.stderr(), ...filesBelow(dataOf({ directory })).map((file) => readFileSync(file, "latin1"))]
    const found = places.filter((place) => secrets.some((secret) => place.includes(secret))).length
    const isQuoted = places.some((place) => place.includes("(the password)"))
    return {
      figure: `in ${found} of ${places.length} logs and files${isQuoted ? ", which quote the rest of the refusal" : ""}`,
      isDefended: found === 0 && isQuoted
    }
  })
}

export const transportSecurity: Attack = {
  name: "the first visit over plain HTTP, again and again, behind TLS",
  env: { APP_ENV: "development", PUBLIC_URL: "https://forecast.example" },
  run: Effect.fnUntraced(function* ({ server }) {
    const paths = ["/", "/docs", "/credits", "/key", "/privacy"]
    const replies = yield* Effect.forEach(paths, (path) => send(`${server.url}${path}`))
    const strict = replies.filter(({ headers }) => headers.get("strict-transport-security") === "max-age=31536000")
    return {
      figure: `${strict.length} of ${paths.length} pages with Strict-Transport-Security`,
      isDefended: strict.length === paths.length && countOf(replies, 200) === paths.length
    }
  })
}
