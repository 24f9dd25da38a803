import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Ctx } from './context.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.json', '.webmanifest', '.svg', '.txt', '.wasm'])

export const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'
const ONE_HOUR = 'public, max-age=3600'

const brotli = promisify(brotliCompress)
const zipped = promisify(gzip)
type ContentEncoding = 'br' | 'gzip'

export interface Asset {
  type: string
  cacheControl: string
  etag: string
  bytes: Buffer
  /** Compressed on the first request for each encoding, then kept; null where compression does not help. */
  encoded: Partial<Record<ContentEncoding, Promise<Buffer>>> | null
}

/** Files with hashed names never change. Workers and pages are revalidated each time. */
function getCacheControl(path: string): string {
  if (path.startsWith('/assets/')) return IMMUTABLE
  return /^\/sw-[^/]*\.js$|\.html$|\.webmanifest$/.test(path) ? REVALIDATE : ONE_HOUR
}

export function makeAsset(path: string, bytes: Buffer): Asset {
  const extension = extname(path)
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    cacheControl: getCacheControl(path),
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    bytes,
    encoded: COMPRESSIBLE.has(extension) ? {} : null,
  }
}

const isHidden = (name: string): boolean => name.startsWith('.')

/**
 * Reads the built client once per process, so all files served come from one build and no address can reach another
 * file. Keys are addresses, such as /index.html. Empty when there is no build.
 */
export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const assets = read.get(folder) ?? readFolder(folder)
  read.set(folder, assets)
  return assets
}

const read = new Map<string, ReadonlyMap<string, Asset>>()

function readFolder(folder: string): ReadonlyMap<string, Asset> {
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !relative(folder, join(entry.parentPath, entry.name)).split(sep).some(isHidden),
  )
  return new Map(
    files.map((file) => {
      const full = join(file.parentPath, file.name)
      const path = `/${relative(folder, full).split(sep).join('/')}`
      return [path, makeAsset(path, readFileSync(full))]
    }),
  )
}

const REFUSED = /;\s*q=0(\.0*)?\s*$/i

function encodingFor(header: string): ContentEncoding | null {
  const accepted = header
    .split(',')
    .filter((entry) => !REFUSED.test(entry))
    .join()
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null
}

const encode = (bytes: Buffer, encoding: ContentEncoding): Promise<Buffer> =>
  encoding === 'br' ? brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }) : zipped(bytes)

export async function sendAsset(c: Ctx, asset: Asset, status: 200 | 404 = 200): Promise<Response> {
  const headers: Record<string, string> = {
    'Content-Type': asset.type,
    'Cache-Control': asset.cacheControl,
    ETag: asset.etag,
    ...(asset.encoded ? { Vary: 'Accept-Encoding' } : {}),
  }
  if (status === 200 && isKnown(c, asset.etag)) return c.body(null, 304, headers)
  const encoding = asset.encoded ? encodingFor(c.req.header('accept-encoding') ?? '') : null
  if (!encoding || !asset.encoded) return c.body(new Uint8Array(asset.bytes), status, headers)
  asset.encoded[encoding] ??= encode(asset.bytes, encoding)
  const bytes = await asset.encoded[encoding]
  return c.body(new Uint8Array(bytes), status, { ...headers, 'Content-Encoding': encoding })
}

/** Whether the client already has this content. A compressor in between may have marked the tag as weak. */
export const isKnown = (c: Ctx, etag: string): boolean =>
  (c.req.header('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
