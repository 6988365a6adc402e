import { Config, Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { bridge } from "./bridge/Bridge.ts"
import { InvalidInvocation } from "../cli/UserFailures.ts"

const usualBase = "http://127.0.0.1:3000"

/** The address of a service, without a trailing slash. */
const readBase = (text: string): Effect.Effect<string, InvalidInvocation> => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "" && url.hash === ""
    ? Effect.succeed(`${url.origin}${url.pathname.replace(/\/+$/, "")}`)
    : Effect.fail(
        new InvalidInvocation({
          message: `--base-url must be an address such as ${usualBase}, without a user name or password`
        })
      )
}

/** `mcp`: the tools of a service for agents that start a local program. */
export const mcpCommand = Command.make(
  "mcp",
  {
    baseUrl: Flag.String("base-url").pipe(
      Flag.withDescription("The address of the service"),
      Flag.withFallbackConfig(Config.String("SERVICE_BASE_URL")),
      Flag.withDefault(usualBase)
    )
  },
  Effect.fnUntraced(function* ({ baseUrl }) {
    const key = yield* Config.option(Config.Redacted("SERVICE_API_KEY"))
    const base = yield* readBase(baseUrl)
    if (Option.isNone(key)) yield* Console.error("SERVICE_API_KEY is not set: only the free benchmarks can be called.")
    yield* bridge({ baseUrl: base, key })
  })
).pipe(
  Command.withDescription(
    "Give an agent the tools of a running service over the Model Context Protocol, on standard input and output, with the key in the variable SERVICE_API_KEY."
  ),
  Command.withExamples([
    {
      command: "outreach-forecast mcp --base-url https://forecast.example",
      description: "The command that an agent starts; docs/agents.md has the configuration to paste"
    }
  ])
)
