import { QRCodeDecoderErrorCorrectionLevel, QRCodeEncoder } from '@zxing/library'

/** Rows of a code's modules, true for dark; level M, as on the tickets. */
export function modulesOf(text: string): boolean[][] {
  const matrix = QRCodeEncoder.encode(text, QRCodeDecoderErrorCorrectionLevel.M).getMatrix()
  return Array.from({ length: matrix.getHeight() }, (_, y) =>
    Array.from({ length: matrix.getWidth() }, (_, x) => matrix.get(x, y) === 1),
  )
}

/** Width of a code's quiet zone, in modules. */
export const QUIET = 4

/** One path for all dark modules, in units of one module, the quiet zone included. */
export const pathOf = (modules: readonly boolean[][]): string =>
  modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ''))).join('')

/** The side of a module in the picture. */
const MODULE_PX = 6

/** The code as a camera would see it straight on. Null if the browser has no canvas. */
export function pictureOf(text: string): ImageData | null {
  const modules = modulesOf(text)
  const side = (modules.length + 2 * QUIET) * MODULE_PX
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) return null
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  context.fillStyle = '#000'
  for (const [y, row] of modules.entries())
    for (const [x, dark] of row.entries())
      if (dark) context.fillRect((x + QUIET) * MODULE_PX, (y + QUIET) * MODULE_PX, MODULE_PX, MODULE_PX)
  return context.getImageData(0, 0, side, side)
}
