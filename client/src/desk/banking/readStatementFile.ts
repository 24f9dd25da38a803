import { STATEMENT } from '@garba/shared/messages/money'

export type StatementText = { csv: string } | { problem: string }

type FileWords = Readonly<Record<'pdf' | 'password' | 'unreadable', string>>

export type SpreadsheetAnswer = { csv: string } | { problem: 'password' | 'unreadable' }

/** Text is decoded here; a worker, which is loaded only then, turns a spreadsheet into CSV. */
export async function readStatementFile(file: File, words: FileWords = STATEMENT.files): Promise<StatementText> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const start = String.fromCharCode(...bytes.subarray(0, 4))
  if (start === '%PDF') return { problem: words.pdf }
  if (start.startsWith('PK') || start === '\u00d0\u00cf\u0011\u00e0') return readSpreadsheet(bytes, words)
  const text = decodeText(bytes)
  return MARKUP.test(text.slice(0, 4_000)) ? readSpreadsheet(text, words) : { csv: text.replace(/ {2,}/g, ' ') }
}

/** HTML or SpreadsheetML, which banks name .xls too. */
const MARKUP = /^\s*<(\?xml|!doctype|html|head|meta|style|table|div)\b|<table\b/i

const SAMPLE_BYTES = 1_000

/** Decodes UTF-16 with or without a byte order mark, UTF-8, and anything else as Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = utf16In(bytes.subarray(0, SAMPLE_BYTES))
  if (encoding !== null) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** In UTF-16 every other byte of Latin text is zero. */
function utf16In(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const zerosAt = (parity: number) => bytes.filter((byte, at) => byte === 0 && at % 2 === parity).length
  if (zerosAt(1) > bytes.length / 4) return 'utf-16le'
  return zerosAt(0) > bytes.length / 4 ? 'utf-16be' : null
}

function readSpreadsheet(content: Uint8Array<ArrayBuffer> | string, words: FileWords): Promise<StatementText> {
  const worker = new Worker(new URL('./spreadsheet.worker.ts', import.meta.url), {
    type: 'module',
    name: 'spreadsheet',
  })
  return new Promise<StatementText>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<SpreadsheetAnswer>) =>
      resolve('csv' in data ? data : { problem: words[data.problem] })
    worker.onerror = ({ message }) => reject(new Error(`The spreadsheet could not be read: ${message}`))
    worker.postMessage(content, typeof content === 'string' ? [] : [content.buffer])
  }).finally(() => worker.terminate())
}
