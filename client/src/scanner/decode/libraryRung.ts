import {
  type Binarizer,
  BinaryBitmap,
  Exception,
  GlobalHistogramBinarizer,
  HybridBinarizer,
  InvertedLuminanceSource,
  type LuminanceSource,
  QRCodeReader,
  type ResultPoint,
  RGBLuminanceSource,
} from '@zxing/library'
import { cornersInFrame, type View, whole } from './luma.ts'
import type { Corners, Reading, ReadPicture } from './reading.ts'
import { LIBRARY_VARIANTS, type LibraryVariant } from './variants.ts'

/** A ticket is a version 5 code: 37 modules, its finder patterns' centres 30 apart. */
const OUTWARD = 37 / 30

/** The library reports the centres of the finder patterns (bottom left, top left, top right); the corners lie further out. */
function cornersOf([bottomLeft, topLeft, topRight]: readonly ResultPoint[]): Corners | undefined {
  if (!bottomLeft || !topLeft || !topRight) return undefined
  const middle = { x: (bottomLeft.getX() + topRight.getX()) / 2, y: (bottomLeft.getY() + topRight.getY()) / 2 }
  const outward = (x: number, y: number) => ({
    x: middle.x + (x - middle.x) * OUTWARD,
    y: middle.y + (y - middle.y) * OUTWARD,
  })
  return [
    outward(topLeft.getX(), topLeft.getY()),
    outward(topRight.getX(), topRight.getY()),
    outward(2 * middle.x - topLeft.getX(), 2 * middle.y - topLeft.getY()),
    outward(bottomLeft.getX(), bottomLeft.getY()),
  ]
}

function binarizerFor({ binarizer, isInverted }: LibraryVariant, { luma }: View): Binarizer {
  const { data, width, height } = luma
  const light = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length)
  const plain = new RGBLuminanceSource(light, width, height)
  const source: LuminanceSource = isInverted ? new InvertedLuminanceSource(plain) : plain
  return binarizer === 'hybrid' ? new HybridBinarizer(source) : new GlobalHistogramBinarizer(source)
}

/** One attempt of @zxing/library at one view of the frame. Its "nothing found" exception becomes an empty list. */
function readOnce(view: View, variant: LibraryVariant): Reading[] {
  try {
    const result = new QRCodeReader().decode(new BinaryBitmap(binarizerFor(variant, view)))
    const corners = cornersOf(result.getResultPoints())
    return [{ text: result.getText(), ...(corners && { corners: cornersInFrame(corners, view) }) }]
  } catch (error) {
    if (error instanceof Exception) return []
    throw error
  }
}

/** One variant per frame: on a phone without WebAssembly each takes a whole frame's time. */
export const readWithLibrary: ReadPicture = async (picture, turn) => {
  const variant = LIBRARY_VARIANTS[turn % LIBRARY_VARIANTS.length]
  return variant ? readOnce(variant.of(whole(await picture.luma())), variant) : []
}
