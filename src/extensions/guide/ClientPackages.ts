import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import type { ApiAddress } from "../../site/ApiAddress.ts"
import { asServed } from "./Guide.ts"
import { readPackageFolder, readPackageText } from "../../site/PackageFiles.ts"
import { Gzip, Zip, ZipDeflate } from "fflate"

/** The contents of an archive, by path. */
type Files = ReadonlyMap<string, Uint8Array>

/** The header of a file in a tar archive (POSIX.1-1988): texts and octal numbers at fixed offsets. */
const tarHeader = (path: string, size: number) => {
  const header = Buffer.alloc(512)
  if (Buffer.byteLength(path) > 100) throw new Error(`The path is too long for a tar archive: ${path}`)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0")
  header.write(path, 0)
  header.write(octal(0o644, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  // The date that npm gives to every file of a package: 26 October 1985, 8:15 UTC.
  header.write(octal(499_162_500, 11), 136)
  header.write("        ", 148)
  header.write("0", 156)
  header.write("ustar\x0000", 257)
  const sum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return header
}

/**
 * An archive whose bytes depend on nothing but its files. Compressing all of them at once would hold the event loop for
 * 50 ms, so it is given back after each.
 */
const archive = (
  files: Files,
  start: (write: (bytes: Uint8Array) => void) => {
    readonly add: (path: string, bytes: Uint8Array) => void
    readonly end: () => void
  }
): Effect.Effect<Uint8Array> =>
  Effect.gen(function* () {
    const written: Array<Uint8Array> = []
    const { add, end } = start((bytes) => written.push(bytes))
    for (const [path, bytes] of files) {
      add(path, bytes)
      yield* Effect.yieldNow
    }
    end()
    return Buffer.concat(written)
  })

/** A tar archive in a gzip file. */
const tgz = (files: Files) =>
  archive(files, (write) => {
    const gzip = new Gzip({ mtime: 0 }, write)
    return {
      add: (path, bytes) =>
        gzip.push(Buffer.concat([tarHeader(path, bytes.length), bytes, Buffer.alloc(-bytes.length & 511)])),
      end: () => gzip.push(Buffer.alloc(1024), true)
    }
  })

/** A zip archive. */
const zip = (files: Files) =>
  archive(files, (write) => {
    const zip = new Zip((_, bytes) => write(bytes))
    return {
      add: (path, bytes) => {
        // A zip archive has local times, none before 1980. 3 means Unix, with the permissions in the upper half of attrs.
        const file = Object.assign(new ZipDeflate(path), { mtime: "1985-10-26T08:15:00", os: 3, attrs: 0o100644 << 16 })
        zip.add(file)
        file.push(bytes, true)
      },
      end: () => zip.end()
    }
  })

/** A client as the build leaves it: the name of its package, and the texts in it by path. */
export const ClientTexts = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  files: Schema.Record(Schema.String, Schema.String)
})
export type ClientTexts = typeof ClientTexts.Type

const folder = "dist/clients"

const decodeTexts = Schema.decodeSync(Schema.fromJsonString(ClientTexts))

/** The clients, the one for Python first. */
export const readClients: Effect.Effect<ReadonlyArray<ClientTexts>> = Effect.gen(function* () {
  const files = (yield* readPackageFolder(folder)).filter((file) => file.endsWith(".json"))
  const clients = yield* Effect.forEach(files, (file) =>
    Effect.map(readPackageText(`${folder}/${file}`), (text) => decodeTexts(text))
  )
  return clients.toSorted((a, b) => Number(isWheel(b)) - Number(isWheel(a)))
})

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

/** The package of a client that calls this service by default: the same bytes on each of its instances. */
export const packClient = (client: ClientTexts, address: ApiAddress): Effect.Effect<Uint8Array> => {
  const files = new Map(
    Object.entries(client.files).map(([path, text]) => [path, Buffer.from(asServed(text, address))])
  )
  return isWheel(client) ? zip(withRecord(files)) : tgz(files)
}
