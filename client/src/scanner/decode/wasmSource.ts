import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { WasmSource } from './wasmRung.ts'

/** Served from our own origin under its hashed name, and so in the scanner's precache. */
export const wasmSource = (): WasmSource => ({ url: new URL(wasmUrl, self.location.href).href })
