import type { Corners, NativeSource, Reading, Rung } from './reading.ts'

/** The part of the Shape Detection API used here, missing in TypeScript's DOM types. */
interface BarcodeDetector {
  detect(
    source: NativeSource,
  ): Promise<readonly { rawValue: string; cornerPoints: readonly { x: number; y: number }[] }[]>
}
interface BarcodeDetectorClass {
  new (options: { formats: readonly string[] }): BarcodeDetector
  getSupportedFormats(): Promise<readonly string[]>
}

function cornersOf(points: readonly { x: number; y: number }[]): Corners | undefined {
  const [a, b, c, d] = points
  if (!a || !b || !c || !d) return undefined
  return [
    { x: a.x, y: a.y },
    { x: b.x, y: b.y },
    { x: c.x, y: c.y },
    { x: d.x, y: d.y },
  ]
}

/**
 * The platform's own detector, where there is one and it knows QR. It is doubted: on some systems it is there and never
 * sees anything (no system service behind it), so what it misses is shown to the next rung.
 */
export const nativeRung = (scope: object = globalThis): Rung => ({
  name: 'native',
  isDoubted: true,
  async load() {
    const { BarcodeDetector: Detector } = scope as { BarcodeDetector?: BarcodeDetectorClass }
    if (!Detector) throw new Error('no BarcodeDetector here')
    if (!(await Detector.getSupportedFormats()).includes('qr_code'))
      throw new Error('BarcodeDetector knows no QR codes')
    const detector = new Detector({ formats: ['qr_code'] })
    return async ({ source }) => {
      if (!source) throw new Error('no picture a BarcodeDetector takes')
      const found = await detector.detect(source)
      return found
        .filter(({ rawValue }) => rawValue !== '')
        .map(({ rawValue, cornerPoints }): Reading => {
          const corners = cornersOf(cornerPoints)
          return { text: rawValue, ...(corners && { corners }) }
        })
    }
  },
})
