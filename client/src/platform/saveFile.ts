/** Long enough for the slowest phone to have begun to read it. */
const KEPT_MS = 60_000

/** Saves a file on the device under this name, as a pressed download link does. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
