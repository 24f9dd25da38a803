import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer } })

/** What a scanner reads from a picture as a camera would see it: PNG bytes or pixels. */
export async function readCode(picture: Buffer | ImageData): Promise<string> {
  const [code] = await readBarcodes('width' in picture ? picture : Uint8Array.from(picture), { formats: ['QRCode'] })
  return code?.text ?? 'no code'
}
