import { hash } from "node:crypto"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Effect, FileSystem, Schema } from "effect"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import type { ApiAddress } from "./ApiAddress.ts"
import { type Files, tgz, zip } from "./Archives.ts"
import { asServed } from "./Guide.ts"

/** A client as the build leaves it: the name of its package, and the texts in it by path. */
export const ClientTexts = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  files: Schema.Record(Schema.String, Schema.String)
})
export type ClientTexts = typeof ClientTexts.Type

/** The folder in the package, whether the sources or the built program is run. */
const builtFolder = join(
  dirname(createRequire(import.meta.url).resolve("outreach-forecast/package.json")),
  "dist/clients"
)

const decodeTexts = Schema.decodeEffect(Schema.fromJsonString(ClientTexts))

/** Reads the clients, the one for Python first. A missing build is a defect. */
export const readClients = (folder = builtFolder): Effect.Effect<ReadonlyArray<ClientTexts>> =>
  Effect.gen(function* () {
    const { readDirectory, readFileString } = yield* FileSystem.FileSystem
    const files = (yield* readDirectory(folder)).filter((file) => file.endsWith(".json"))
    const clients = yield* Effect.forEach(files, (file) =>
      Effect.flatMap(readFileString(join(folder, file)), decodeTexts)
    )
    return clients.toSorted((a, b) => Number(isWheel(b)) - Number(isWheel(a)))
  }).pipe(Effect.orDie, Effect.provide(NodeFileSystem.layer))

/** True for the package of the Python client. */
export const isWheel = ({ name }: Pick<ClientTexts, "name">) => name.endsWith(".whl")

/** The files of a wheel with the list of their hashes. */
const withRecord = (files: Files): Files => {
  const info = [...files.keys()].find((path) => path.endsWith(".dist-info/WHEEL")) ?? ""
  const record = info.replace(/WHEEL$/, "RECORD")
  const lines = [...files].map(
    ([path, bytes]) => `${path},sha256=${hash("sha256", bytes, "base64url")},${bytes.length}\n`
  )
  return new Map([...files, [record, Buffer.from(`${lines.join("")}${record},,\n`)]])
}

/** The package of a client that calls the service at this address by default: the same bytes on each of its instances. */
export const packClient = (client: ClientTexts, address: ApiAddress): Uint8Array => {
  const files = new Map(
    Object.entries(client.files).map(([path, text]) => [path, Buffer.from(asServed(text, address))])
  )
  return isWheel(client) ? zip(withRecord(files)) : tgz(files)
}
