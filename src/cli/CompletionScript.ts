import { Console, Effect, Option } from "effect"
import { Completions, GlobalFlag } from "effect/cli"

/** Arguments that nothing is offered for; for zsh they hide the flags of their command. */
const freeArgument = /^ *':.*:'\n/gm

/** How the script for zsh knows that it was loaded as a function: true the first time only, so that the second would fail. */
const isLoading = '"${zsh_eval_context[-1]}" == "loadautofunc"'
const isFunction = '"${funcstack[1]}" == _outreach[-_]forecast'

const mended = (script: string) => script.replaceAll(freeArgument, "").replace(isLoading, () => isFunction)

/** `--completions`: prints what makes a shell complete the program's commands, flags and choices. */
export const completions: typeof GlobalFlag.Completions = GlobalFlag.Action({
  flag: GlobalFlag.Completions.flag,
  run: Effect.fnUntraced(function* (shell, { command }) {
    if (Option.isNone(shell)) return
    const script = Completions.generate(command.name, shell.value, Completions.fromCommand(command))
    yield* Console.log(shell.value === "zsh" ? mended(script) : script)
  })
})
