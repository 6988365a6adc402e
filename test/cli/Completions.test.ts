import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import { runHere } from "../support/CommandLine.ts"

/** What is typed, and what a shell offers for its last word. */
const cases = [
  ["key", ["keys"]],
  ["keys sh", ["show"]],
  ["orders fulfil --re", ["--reference"]],
  ["database copy --fro", ["--from", "--from-file"]],
  ["mails list --state d", ["dead"]],
  ["database copy --from-", ["--from-file"]],
  ["keys list --js", ["--json"]]
] as const

/** The script of a shell in a folder that is its home; the program itself need not be there to be completed. */
const script = Effect.fnUntraced(function* (shell: string) {
  const directory = yield* temporaryDirectory
  const { stdout } = yield* runHere(directory, ["--completions", shell])
  mkdirSync(`${directory}/functions`)
  const file = `${directory}/functions/_outreach-forecast`
  writeFileSync(file, stdout)
  const ask = (args: ReadonlyArray<string>) =>
    execFileSync(shell, args, {
      encoding: "utf8",
      cwd: directory,
      env: { PATH: process.env["PATH"] ?? "", HOME: directory, TERM: "dumb" },
      timeout: 100_000
    })
  return { ask, directory, file }
})

/** A line whose last word is complete. */
const whole = (line: string, word: string) => `${line.slice(0, line.lastIndexOf(" ") + 1)}${word}`

/** Types a line with a tabulator, waits until zsh has completed it, which it does not while more is typed, and runs it. */
const press = (line: string, completed: string) => `
  zpty -n -w z "outreach-forecast ${line}"$'\\t'
  zpty -r z out '*${completed}*'
  zpty -n -w z $'\\r'
  zpty -r z out '*ran <*>*'
  print -r -- "\${out##*ran }"`

const isMissing = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status !== 0

describe("completions", () => {
  it.live.skipIf(isMissing("bash"))("work in bash", () =>
    Effect.gen(function* () {
      const { ask, file } = yield* script("bash")
      const offered = ask([
        "-c",
        `source ${file}
        function=$(complete -p outreach-forecast | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        while read -r line; do
          read -ra COMP_WORDS <<< "outreach-forecast $line"
          COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_LINE="outreach-forecast $line"; COMP_POINT=\${#COMP_LINE}; COMPREPLY=()
          $function outreach-forecast "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
          echo "$line: $(printf '%s\\n' "\${COMPREPLY[@]}" | sort | paste -sd' ')"
        done <<'LINES'\n${cases.map(([line]) => line).join("\n")}\nLINES`
      ])
      for (const [line, words] of cases) assert.include(offered, `${line}: ${words.join(" ")}\n`)
    })
  )

  it.live.skipIf(isMissing("fish"))("work in fish", () =>
    Effect.gen(function* () {
      const { ask, file } = yield* script("fish")
      const lines = cases.map(([line]) => `echo "${line}:" (complete -C "outreach-forecast ${line}" | cut -f1 | sort)`)
      const offered = ask(["--no-config", "-c", [`source ${file}`, ...lines].join("\n")])
      for (const [line, words] of cases) assert.include(offered, `${line}: ${words.join(" ")}\n`)
    })
  )

  it.live.skipIf(isMissing("zsh"))("work in zsh, where the tabulator completes what is typed", () =>
    Effect.gen(function* () {
      const { ask, directory } = yield* script("zsh")
      const typed = cases.filter(([, words]) => words.length === 1)
      // A zsh within zsh, on a terminal of its own; the program is a function that says what it was called with.
      const completed = ask([
        "-f",
        "-c",
        `zmodload zsh/zpty
        zpty z "TERM=dumb zsh -f -i"
        zpty -w z "unsetopt zle_bracketed_paste; PS1=''; fpath=(${directory}/functions \\$fpath)"
        zpty -w z "autoload -U compinit; compinit -u -D; outreach-forecast() { print -r -- \\"ran <\\$*>\\" }; print started"
        zpty -r z out '*started*started*'
        ${typed.map(([line, [word]]) => press(line, whole(line, word))).join("\n")}
        zpty -d z`
      ])
      for (const [line, [word]] of typed) assert.include(completed, `<${whole(line, word)}>`)
    })
  )
})
