import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { KeyId } from "../../src/KeyStatus.ts"
import { SubKeys } from "../../src/extensions/subkeys/SubKeys.ts"
import { nodesIn } from "../../src/http/document/OpenApiDocument.ts"
import { applicationOn, installedDirectory, temporaryDirectory } from "../support/Application.ts"
import { issueHere, runHere } from "../support/CommandLine.ts"
import { serveWithMails } from "../support/Http.ts"
import { until, untilFound } from "../support/Process.ts"
import { jsonOf, postTo } from "../support/Requests.ts"
import { linkOf, smtpServer } from "../support/Smtp.ts"
import { changeSqlite } from "../support/SqliteFile.ts"

describe("keys", () => {
  it.live("issues, lists, shows, deactivates, activates and revokes; the secret is shown once", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const owner = ["--name", "Ada", "--email", "Ada@Example.com", "--company", "Example Ltd"]
      const issued = yield* runHere(directory, ["keys", "issue", ...owner])
      const secret = /ofk_test_[0-9A-Za-z]{38}/.exec(issued.stdout)?.[0] ?? ""
      assert.include(issued.stdout, "This is the only time the key is shown.")
      const prefix = secret.slice(0, 17)

      const list = yield* runHere(directory, ["keys", "list"])
      assert.match(list.stdout, /id +prefix +state +plan +credits +email +company +created_at\n/)
      assert.include(list.stdout, "Ada@example.com")
      const shown: Array<string> = [list.stdout]
      for (const [command, state, plan] of [
        ["show", "usable", "active"],
        ["deactivate", "usable", "inactive"],
        ["activate", "usable", "active"],
        ["revoke", "revoked", "active"]
      ] as const) {
        const { code, stdout } = yield* runHere(directory, ["keys", command, prefix, "--json"])
        assert.strictEqual(code, 0)
        assert.include(jsonOf(stdout), { state, plan, prefix, credits_remaining: 100 })
        shown.push(stdout)
      }
      // By the key itself, which is found by its hash.
      for (const args of [
        ["show", secret],
        ["show", secret, "--json"],
        ["list", secret]
      ]) {
        const { code, stderr, stdout } = yield* runHere(directory, ["keys", ...args])
        assert.strictEqual(code, 0, stderr)
        assert.include(stdout, prefix)
        shown.push(stdout, stderr)
      }
      const typo = `${secret.slice(0, -1)}_`
      for (const [args, message] of [
        [["show", typo], `No key has this secret, which starts with ${prefix}.`],
        [["erase", typo, "--yes"], `No key has this secret, which starts with ${prefix}.`],
        [["shwo", secret], "Did you mean this?\n    show\n"],
        [["show", "a", secret], `Unexpected positional argument: "${prefix}"`]
      ] as const) {
        const { code, stderr, stdout } = yield* runHere(directory, ["keys", ...args])
        assert.strictEqual(code, 1)
        assert.include(stderr, message)
        shown.push(stdout, stderr)
      }
      const show = yield* runHere(directory, ["keys", "show", prefix])
      assert.match(show.stdout, /preview_grant +100 +100/)
      assert.notInclude([...shown, show.stdout].join(), secret.slice(0, 18))
    })
  )

  it.live("shows and revokes a sub-key by its prefix and its ID, and refuses commands that are only for keys", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const { id: keyId } = yield* issueHere(directory)
      const { secret, subKey } = yield* Effect.flatMap(SubKeys, ({ create }) =>
        create(KeyId.make(keyId), { name: "CRM", monthlyLimit: 200 })
      ).pipe(Effect.provide(applicationOn(`sqlite:${directory}/data/outreach-forecast.db`)))
      for (const name of [subKey.id, subKey.secretPrefix, Redacted.value(secret)]) {
        const { code, stdout } = yield* runHere(directory, ["keys", "show", name, "--json"])
        assert.strictEqual(code, 0)
        assert.include(jsonOf(stdout), { id: subKey.id, key_id: keyId, state: "usable", monthly_limit: 200 })
      }
      const ofKey = yield* runHere(directory, ["keys", "show", keyId])
      assert.match(
        ofKey.stdout,
        /Its usable sub-keys:\nid .*\nsub_\w{16} +ofk_test_\w{8} +key_\w{16} +CRM +usable +200 /
      )
      for (const command of [
        ["keys", "erase", subKey.secretPrefix, "--yes"],
        ["keys", "deactivate", subKey.id],
        ["credits", "grant", subKey.id, "5", "--reason", "test"]
      ]) {
        const { code, stderr } = yield* runHere(directory, command)
        assert.strictEqual(code, 1)
        assert.include(stderr, `is a sub-key; this command takes only its key ${keyId}`)
      }
      const revoked = yield* runHere(directory, ["keys", "revoke", subKey.secretPrefix])
      assert.match(revoked.stdout, /state +revoked/)
      const { state, sub_keys } = jsonOf((yield* runHere(directory, ["keys", "show", keyId, "--json"])).stdout)
      assert.strictEqual(state, "usable")
      assert.deepStrictEqual(nodesIn(sub_keys), [])
      assert.notInclude(ofKey.stdout + revoked.stdout, Redacted.value(secret).slice(0, 18))
    })
  )

  it.live("reports what is wrong and exits with status 1", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const owner = ["--name", "Ada", "--email", "ada@example.com", "--company", "Example"]
      yield* runHere(directory, ["keys", "issue", ...owner, "--credits", "5"])
      for (const [args, message] of [
        [["issue", ...owner], "ada@example.com already has the key ofk_test_"],
        [["issue", ...owner.slice(0, 2), "--email", "nobody", "--company", "x"], "must be an address"],
        [["issue", ...owner, "--credits", "-1"], "--credits"],
        [["show", "nobody"], "No key has the ID or prefix nobody"],
        [["revoke", "nobody"], "No key has the ID or prefix nobody"]
      ] as const) {
        const { code, stderr } = yield* runHere(directory, ["keys", ...args])
        assert.strictEqual(code, 1)
        assert.include(stderr, message)
      }
    })
  )
})

describe("credits", () => {
  const issued = Effect.fnUntraced(function* () {
    const directory = yield* installedDirectory
    return { directory, ...(yield* issueHere(directory)) }
  })

  it.live("grants and adjusts, also by a negative number, once per reference, and shows the reason", () =>
    Effect.gen(function* () {
      const { directory, id, prefix } = yield* issued()
      const grant = ["credits", "grant", prefix, "500", "--reason", "late forecast", "--reference", "ticket 7"]
      const first = yield* runHere(directory, [...grant, "--json"])
      assert.include(jsonOf(first.stdout), { delta: 500, balance_after: 600, was_made_before: false })
      assert.include(jsonOf(first.stdout), { id, reference: "adjustment:ticket 7" })
      const again = yield* runHere(directory, [...grant, "--json"])
      assert.deepStrictEqual(jsonOf(again.stdout), { ...jsonOf(first.stdout), was_made_before: true })
      assert.include(
        (yield* runHere(directory, grant)).stdout,
        "This change had already been made; nothing was changed."
      )
      const adjusted = yield* runHere(directory, ["credits", "adjust", id, "-5", "--reason", "given twice"])
      assert.match(adjusted.stdout, /delta +-5\nbalance_after +595\n/)
      const show = yield* runHere(directory, ["keys", "show", id])
      assert.match(show.stdout, /operator +credits_granted +\+500: late forecast +1 /)
      assert.match(show.stdout, /operator +credits_adjusted +-5: given twice +1 /)
    })
  )

  it.live("reports what is wrong, exits with status 1 and changes nothing", () =>
    Effect.gen(function* () {
      const { directory, id } = yield* issued()
      const why = ["--reason", "why"]
      const amount = "must be an integer from 1 to 1000000000"
      const delta = "must be an integer from -1000000000 to 1000000000, and not 0"
      for (const [args, message] of [
        ...["0", "-5", "1.5", "5e2", "many", "1000000001", "9007199254740993"].map(
          (text) => [["grant", id, text, ...why], amount] as const
        ),
        ...["0", "-0", "-1.5", "-1000000001"].map((text) => [["adjust", id, text, ...why], delta] as const),
        [["adjust", id, "-101", ...why], "The key has 100 credits left, so 101 cannot be taken; the maximum is 100"],
        [["grant", "nobody", "5", ...why], "No key has the ID or prefix nobody"],
        [["grant", id, "5"], "Missing required flag: --reason"],
        [["grant", id, "5", "--reason", " "], "must be 1 to 200 characters on one line"],
        [["grant", id, "5", "--reason", "a\nb"], "must be 1 to 200 characters on one line"],
        [["grant", id, "5", "--reason", "x".repeat(201)], "must be 1 to 200 characters on one line"],
        [["usage", "--month", "2026-13"], "must be a month such as 2026-11"]
      ] as const) {
        const { code, stderr } = yield* runHere(directory, ["credits", ...args])
        assert.deepStrictEqual([args, code], [args, 1])
        assert.include(stderr, message)
      }
      const shown = jsonOf((yield* runHere(directory, ["keys", "show", id, "--json"])).stdout)
      assert.include(shown, { credits_remaining: 100, credits_granted: 100 })
      yield* runHere(directory, ["keys", "revoke", id])
      const revoked = yield* runHere(directory, ["credits", "grant", id, "5", ...why])
      assert.strictEqual(revoked.code, 1)
      assert.include(revoked.stderr, "is revoked and can never be used again")
    })
  )

  it.live("shows usage by key and month", () =>
    Effect.gen(function* () {
      const { directory, prefix } = yield* issued()
      assert.strictEqual((yield* runHere(directory, ["credits", "usage"])).stdout, "none\n")
      changeSqlite(
        `${directory}/data/outreach-forecast.db`,
        "INSERT INTO usage_months SELECT id, '2026-10', 3 FROM api_keys",
        "INSERT INTO usage_months SELECT id, '2026-11', 4 FROM api_keys"
      )
      const all = yield* runHere(directory, ["credits", "usage"])
      assert.match(all.stdout, /id +prefix +email +month +requests\n.* 2026-11 +4\n.* 2026-10 +3\n/)
      const one = yield* runHere(directory, ["credits", "usage", prefix, "--month", "2026-10"])
      assert.match(one.stdout, /requests\n.* 2026-10 +3\n$/)
      const none = yield* runHere(directory, ["credits", "usage", "--month", "2026-09", "--json"])
      assert.strictEqual(none.stdout, "[]\n")
    })
  )
})

describe("ledger verify", () => {
  it.live("reports its checks and exits with status 0, or lists the faults and exits with status 1", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      yield* issueHere(directory)
      const good = yield* runHere(directory, ["ledger", "verify"])
      assert.strictEqual(good.code, 0)
      assert.match(good.stdout, /^keys +1\nentries +1\nms +\d+\nfaults +0\n$/)
      changeSqlite(
        `${directory}/data/outreach-forecast.db`,
        "UPDATE credit_balances SET balance = 99",
        `WITH RECURSIVE counter (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counter WHERE i < 60)
         INSERT INTO usage_months SELECT key_id, 'x' || i, 1 FROM credit_balances, counter`
      )
      const bad = yield* runHere(directory, ["ledger", "verify"])
      assert.strictEqual(bad.code, 1)
      assert.match(bad.stdout, /faults +61\n\nkey_id +what +expected +found\nkey_\w+ +balance +100 +99\n/)
      assert.include(bad.stdout, "\n… and 11 more\n")
      assert.include(bad.stderr, "The ledger is wrong: 61 faults")
      const json = yield* runHere(directory, ["ledger", "verify", "--json"])
      assert.strictEqual(json.code, 1)
      assert.include(jsonOf(json.stdout), { keys: 1, entries: 1, faults: 61 })
    })
  )
})

describe("mails", () => {
  it.live("lists, shows and retries emails that a mail server refused, without showing the link", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const smtp = yield* smtpServer
      smtp.behaviours.push({ code: 550, message: "no such user" })
      const server = yield* serveWithMails(`sqlite:${directory}/data/outreach-forecast.db`, smtp.url)
      const owner = { name: "Ada", email: "ada@example.com", company: "Evil\u001b[2J\nkey_FAKE" }
      yield* postTo(server.url, "/api/v1/access-requests", owner)
      const dead = runHere(directory, ["mails", "list", "--state", "dead", "--json"])
      const list = yield* untilFound(dead, ({ stdout }) => stdout.includes("no such user"))
      const [id = ""] = /[0-9a-f-]{36}/.exec(list.stdout) ?? []
      const table = yield* runHere(directory, ["mails", "list"])
      assert.match(table.stdout, /dead +ada@example\.com +Confirm your address.* 1 .*no such user/)
      const show = yield* runHere(directory, ["mails", "show", id])
      assert.include(show.stdout, "no such user")
      assert.include(show.stdout, "(a link, created when the email is sent and never stored)")
      assert.notInclude(show.stdout, "/confirm/")

      const retry = yield* runHere(directory, ["mails", "retry", id])
      assert.match(retry.stdout, /state +queued/)
      yield* until(() => smtp.messages.length === 1)
      assert.include(linkOf(smtp.messages[0] ?? ""), `${server.url}/confirm/`)

      const found = yield* runHere(directory, ["keys", "list", "ada@example.com"])
      assert.match(found.stdout, /unconfirmed .*ada@example\.com +Evil \[2J key_FAKE /)
      const prefix = /ofk_test_\w{8}/.exec(found.stdout)?.[0] ?? ""
      const key = yield* runHere(directory, ["keys", "show", prefix])
      assert.match(key.stdout, /owner +access_requested/)

      for (const command of ["show", "retry", "discard"]) {
        const { code, stderr } = yield* runHere(directory, ["mails", command, "nothing"])
        assert.deepStrictEqual([code, stderr.includes("nothing")], [1, true])
      }
    })
  )
})

describe("config check", () => {
  it.live("lists every invalid variable at once, or the settings that the service would run with", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const right = yield* runHere(directory, ["config", "check"], { DEMO_KEY: "canary-5d1e" })
      assert.strictEqual(right.code, 0)
      assert.include(right.stdout, "database     data/outreach-forecast.db")
      assert.notInclude(right.stdout, "canary-5d1e")
      const sending = yield* runHere(directory, ["config", "check"], {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/",
        OTEL_TRACES_SAMPLER_ARG: "0.07",
        CALCULATION_MILLIS_PER_MINUTE: "7",
        KEYLESS_MAILS_PER_HOUR: "9"
      })
      assert.include(sending.stdout, "telemetry    to http://127.0.0.1:4318, with traces of 7%")
      assert.match(
        sending.stdout,
        /^limits .* CALCULATION_MILLIS_PER_MINUTE=7, KEYLESS_MAILS_PER_HOUR=9, KEYLESS_MESSAGES_PER_MINUTE=120$/m
      )
      assert.match(sending.stdout, /^keeps {8}MAIL_DAYS=30, LINK_DAYS=30, /m)
      const wrong = yield* runHere(directory, ["config", "check"], {
        APP_ENV: "prod",
        PORT: "x",
        DATABASE_URL: "mysql:"
      })
      assert.strictEqual(wrong.code, 1)
      for (const name of ["APP_ENV", "PORT", "DATABASE_URL"]) assert.include(wrong.stderr, `${name} must be`)
    })
  )
})

describe("keys erase", () => {
  it.live("requires confirmation, or --yes if it cannot ask, and reports what it did", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const { id } = yield* issueHere(directory)
      const unconfirmed = yield* runHere(directory, ["keys", "erase", id])
      assert.strictEqual(unconfirmed.code, 1)
      assert.include(unconfirmed.stderr, "Nothing was erased. To skip the confirmation, add --yes.")
      assert.include((yield* runHere(directory, ["keys", "list"])).stdout, "ada@example.com")
      const erased = yield* runHere(directory, ["keys", "erase", id, "--yes", "--json"])
      assert.strictEqual(erased.code, 0, erased.stderr)
      assert.deepStrictEqual(jsonOf(erased.stdout), { keys: 1, orders: 0, mails: 0, open_payments: 0 })
      assert.notInclude((yield* runHere(directory, ["keys", "list"])).stdout, "ada@example.com")
    })
  )
})

describe("outreach-forecast", () => {
  it.live("has help for each command, completions and a version", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      for (const args of [
        [],
        ["serve"],
        ["keys"],
        ["keys", "issue"],
        ["credits"],
        ["ledger"],
        ["orders", "fulfil"],
        ["mails"],
        ["config", "check"],
        ["database", "backup"],
        ["database", "copy"]
      ]) {
        const { code, stdout } = yield* runHere(directory, [...args, "--help"])
        assert.strictEqual(code, 0)
        assert.include(stdout, "USAGE")
      }
      for (const shell of ["bash", "zsh", "fish", "powershell"]) {
        const completions = yield* runHere(directory, ["--completions", shell])
        assert.include(completions.stdout, "outreach-forecast")
      }
      for (const other of ["sh", "pwsh"]) {
        assert.strictEqual((yield* runHere(directory, ["--completions", other])).code, 1)
      }
      assert.match((yield* runHere(directory, ["--version"])).stdout, /\d+\.\d+\.\d+/)
    })
  )

  it.live("suggests a similar name for one that does not exist, and shows the command's help", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      for (const [words, sentence, usage] of [
        ["frobnicate", 'Unknown subcommand "frobnicate" for "outreach-forecast"', "<subcommand>"],
        ["kyes list", "Did you mean this?\n    keys", "<subcommand>"],
        ["keys list --jsn", "Did you mean this?\n    --json", "keys list"],
        // No password is shown again.
        ["database copy --form postgres://u:canary@h/d", "Did you mean this?\n    --from", "database copy"],
        ["database copy postgres://u:canary@h/d", 'argument: "postgres://…@h/d"', "database copy"]
      ] as const) {
        const { code, stderr, stdout } = yield* runHere(directory, words.split(" "))
        assert.strictEqual(code, 1, words)
        assert.include(stderr, sentence, words)
        assert.include(stdout, `USAGE\n  outreach-forecast ${usage}`, words)
        assert.notInclude(stdout + stderr, "canary", words)
      }
    })
  )

  it.live("reports a missing or invalid parameter in one line, and marks required flags in the help", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      for (const [words, sentence] of [
        ["credits grant KEY 5", "Missing required flag: --reason. See outreach-forecast credits grant --help."],
        ["keys show", "Missing required argument: key. See outreach-forecast keys show --help."],
        [
          "mails list --state smtp://u:canary@h",
          'Invalid value for flag --state: "smtp://…@h". Expected: "queued" | "sent" | "dead" | "discarded". See outreach-forecast mails list --help.'
        ]
      ] as const) {
        assert.deepInclude(yield* runHere(directory, words.split(" ")), {
          code: 1,
          stdout: "",
          stderr: `${sentence}\n`
        })
      }
      const { stdout } = yield* runHere(directory, ["credits", "grant", "--help"])
      assert.match(stdout, /^ +--reason string .*\(required\)$/m)
      assert.notMatch(stdout, /^ +--(?:reference|json).*\(required\)$/m)
    })
  )

  it.live("names the command that lists what exists if an ID is not found", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      for (const [words, message] of [
        ["keys show nobody", "No key has the ID or prefix nobody.\n  Type: outreach-forecast keys list\n"],
        ["orders show ord_x", "No order has this ID.\n  Type: outreach-forecast orders list\n"],
        ["mails retry m", "No email has the ID m.\n  Type: outreach-forecast mails list\n"]
      ] as const) {
        const env = { DATABASE_URL: "sqlite:data/outreach-forecast.db" }
        assert.strictEqual((yield* runHere(directory, words.split(" "), env)).stderr, message)
      }
    })
  )
})
