import { createHash, KeyObject, sign, verify } from 'node:crypto'

/** More than the signatures of one sequence. */
const REMEMBERED = 4_096

const bufferOf = (bytes: BufferSource): Buffer =>
  ArrayBuffer.isView(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.from(bytes)
const ownBytes = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer

/** The first of each kind is computed, and later ones are remembered. */
function remembering<V>(): (kind: string, compute: () => V) => V {
  const known = new Map<string, V>()
  return (kind, compute) => {
    const before = known.get(kind)
    if (before !== undefined) return before
    if (known.size >= REMEMBERED) known.clear()
    const value = compute()
    known.set(kind, value)
    return value
  }
}

interface Known {
  key: KeyObject
  verified: (kind: string, compute: () => Promise<boolean>) => Promise<boolean>
}

/**
 * WebCrypto's P-256 signatures and SHA-256 in this thread instead of the pool, because the way there and back takes longer than the
 * work. A signature that every phone and the server verify is verified once.
 */
export function signHere(): void {
  const { subtle } = crypto
  const pooled = {
    sign: subtle.sign.bind(subtle),
    verify: subtle.verify.bind(subtle),
    digest: subtle.digest.bind(subtle),
    importKey: subtle.importKey.bind(subtle) as (...asked: unknown[]) => Promise<CryptoKey>,
  }
  const keys = new WeakMap<CryptoKey, Known>()
  const knownOf = (cryptoKey: CryptoKey): Known => {
    const known = keys.get(cryptoKey) ?? { key: KeyObject.from(cryptoKey), verified: remembering() }
    keys.set(cryptoKey, known)
    return known
  }
  const imported = remembering<Promise<CryptoKey>>()
  const isHere = ({ algorithm }: CryptoKey) =>
    algorithm.name === 'ECDSA' && (algorithm as EcKeyAlgorithm).namedCurve === 'P-256'
  Object.assign(subtle, {
    sign: async (algorithm: EcdsaParams, key: CryptoKey, data: BufferSource) =>
      isHere(key)
        ? ownBytes(sign('sha256', bufferOf(data), { key: knownOf(key).key, dsaEncoding: 'ieee-p1363' }))
        : pooled.sign(algorithm, key, data),
    verify: async (algorithm: EcdsaParams, cryptoKey: CryptoKey, signature: BufferSource, data: BufferSource) => {
      const { key, verified } = knownOf(cryptoKey)
      const [signed, text] = [bufferOf(signature), bufferOf(data)]
      return verified(`${signed.toString('latin1')} ${text.toString('latin1')}`, async () =>
        isHere(cryptoKey)
          ? verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, signed)
          : pooled.verify(algorithm, cryptoKey, signature, data),
      )
    },
    digest: async (algorithm: AlgorithmIdentifier, data: BufferSource) =>
      algorithm === 'SHA-256'
        ? ownBytes(createHash('sha256').update(bufferOf(data)).digest())
        : pooled.digest(algorithm, data),
    importKey: (...asked: unknown[]) =>
      asked[0] === 'jwk'
        ? imported(JSON.stringify(asked), () => pooled.importKey(...asked))
        : pooled.importKey(...asked),
  })
}
