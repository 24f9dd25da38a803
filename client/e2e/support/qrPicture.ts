import { QRCodeDecoderErrorCorrectionLevel, QRCodeEncoder } from '@zxing/library'

/** The modules of a QR code, one string of 0 and 1 a row, as a camera page can draw them. */
export function qrModules(text: string): string[] {
  const matrix = QRCodeEncoder.encode(text, QRCodeDecoderErrorCorrectionLevel.M).getMatrix()
  return Array.from({ length: matrix.getHeight() }, (_, y) =>
    Array.from({ length: matrix.getWidth() }, (_, x) => (matrix.get(x, y) === 1 ? '1' : '0')).join(''),
  )
}
