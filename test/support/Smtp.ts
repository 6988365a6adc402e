import { Effect } from "effect"
import { SMTPServer } from "smtp-server"

/**
 * The response of an SMTP server to the next message: accepts it, accepts it silently, accepts it once told to,
 * refuses it and quotes its link, or refuses it with a code.
 */
export type Behaviour =
  | "accept"
  | "hang"
  | { readonly hold: (accept: () => void) => void }
  | "quote"
  | { readonly code: number; readonly message: string }

/** The password that the server accepts from any user. */
export const smtpPassword = "canary-password"

/** The credentials in AUTH PLAIN (RFC 4616). */
export const plainAuth = (user: string, password: string) => Buffer.from(`\0${user}\0${password}`).toString("base64")

/** The decoded text part of an email sent by SMTP. */
export const textOf = (message: string): string => {
  const part = message.split(/^Content-Type: text\/plain[^\n]*\n/m)[1] ?? ""
  const quoted = part.slice(part.indexOf("\r\n\r\n")).replaceAll("=\r\n", "")
  const bytes = quoted.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, "latin1").toString("utf8")
}

/** The link in an email sent by SMTP. */
export const linkOf = (message: string): string =>
  /https?:\S+\/(?:confirm|unsubscribe|orders\/ord_\w+)\/[\w-]+/.exec(textOf(message))?.[0] ?? ""

/** The sender that the server refuses. */
export const refusedSender = "stranger@forecast.example"

/** A real SMTP server on a free port that keeps accepted messages and simulates faults. Nobody vouches for its certificate. */
export const smtpServerWith = ({ disabledCommands }: { readonly disabledCommands: Array<string> }) =>
  Effect.acquireRelease(
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
        allowInsecureAuth: true,
        onAuth: ({ password, username }, _session, callback) => {
          if (password === smtpPassword) callback(null, { user: username })
          else callback(new Error(`wrong: ${password} ${plainAuth(username ?? "", password ?? "")}`))
        },
        closeTimeout: 100,
        disabledCommands,
        logger: false,
        onMailFrom: ({ address }, _session, callback) =>
          callback(
            address === refusedSender ? Object.assign(new Error("not a sender of ours"), { responseCode: 550 }) : null
          ),
        onData: (stream, _session, callback) => {
          let text = ""
          stream.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk
          })
          stream.on("end", () => {
            const refuse = (code: number, message: string) =>
              callback(Object.assign(new Error(message), { responseCode: code }))
            const behaviour = behaviours.shift() ?? "accept"
            const isHeld = typeof behaviour === "object" && "hold" in behaviour
            if (behaviour === "accept" || behaviour === "hang" || isHeld) messages.push(text)
            if (behaviour === "hang") return
            if (isHeld) return behaviour.hold(callback)
            if (behaviour === "accept") callback()
            else if (behaviour === "quote") refuse(554, `no links as in ${linkOf(text)}`)
            else refuse(behaviour.code, behaviour.message)
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

/** The same server without TLS. */
export const smtpServer = smtpServerWith({ disabledCommands: ["STARTTLS"] })
