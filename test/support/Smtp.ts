import { Effect } from "effect"
import { SMTPServer } from "smtp-server"

/** What an SMTP server does with the next message: takes it, refuses it by a code, or never answers after DATA. */
export type Behaviour = "accept" | "hang" | { readonly code: number; readonly message: string }

/** A real SMTP server on a free port that keeps what it took and plays the faults it is told to. */
export const smtpServer = Effect.acquireRelease(
  Effect.callback<{
    readonly url: string
    readonly messages: Array<string>
    readonly behaviours: Array<Behaviour>
    readonly close: () => Promise<void>
  }>((resume) => {
    const messages: Array<string> = []
    const behaviours: Array<Behaviour> = []
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      onData: (stream, _session, callback) => {
        let text = ""
        stream.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk
        })
        stream.on("end", () => {
          const behaviour = behaviours.shift() ?? "accept"
          if (behaviour === "hang") return
          if (behaviour === "accept") {
            messages.push(text)
            callback()
          } else {
            callback(Object.assign(new Error(behaviour.message), { responseCode: behaviour.code }))
          }
        })
      }
    })
    server.on("error", () => {})
    const listener = server.listen(0, "127.0.0.1", () => {
      const address = listener.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
      resume(Effect.succeed({ url: `smtp://127.0.0.1:${port}`, messages, behaviours, close }))
    })
  }),
  ({ close }) => Effect.promise(close)
)
