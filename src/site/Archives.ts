import { gzipSync, zipSync } from "fflate"

/** The contents of an archive, by path. */
export type Files = ReadonlyMap<string, Uint8Array>

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
 * A tar archive in a gzip file. Its bytes depend on nothing but its files. They are stored, because compressing them
 * would hold the event loop for 50 ms.
 */
export const tgz = (files: Files): Uint8Array => {
  const parts = [...files].flatMap(([path, bytes]) => [
    tarHeader(path, bytes.length),
    bytes,
    Buffer.alloc(-bytes.length & 511)
  ])
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]), { mtime: 0, level: 0 })
}

/** A zip archive, like `tgz`. */
export const zip = (files: Files): Uint8Array =>
  // A zip archive has local times, none before 1980. 3 means Unix, with the permissions in the upper half of attrs.
  zipSync(Object.fromEntries(files), { mtime: "1985-10-26T08:15:00", level: 0, os: 3, attrs: 0o100644 << 16 })
