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
import {
  cornersInFrame,
  cropCentre,
  doubleView,
  halveView,
  MIDDLE,
  MOST,
  rotateView,
  sharpenView,
  softenView,
  toneView,
  toView,
  type View,
} from './luma.ts'
import { type CodeReading, type Corners, MARKS_APART, type ReadPicture, TICKET_SIDE } from './reading.ts'

/** Degrees. Not a multiple of 45, at which some of the data may look like a mark again. */
const TURN = 30

interface LibraryVariant {
  name: string
  of(view: View): View
  binarizer: 'hybrid' | 'globalHistogram'
  isInverted: boolean
}

export const LIBRARY_VARIANTS: readonly LibraryVariant[] = [
  {
    name: 'softened middle',
    of: (view) => softenView(cropCentre(view, MIDDLE), 2),
    binarizer: 'hybrid',
    isInverted: false,
  },
  // A code held close fills more than the centre.
  { name: 'halved', of: halveView, binarizer: 'hybrid', isInverted: false },
  {
    name: 'middle without fine noise, sharpened',
    of: (view) => sharpenView(softenView(cropCentre(view, MIDDLE), 2), { times: 8, gain: 3 }),
    binarizer: 'hybrid',
    isInverted: false,
  },
  // In an upright ticket the library may take data for a corner or the alignment mark, on every try.
  {
    name: 'most of it, turned',
    of: (view) => rotateView(cropCentre(view, MOST), TURN),
    binarizer: 'hybrid',
    isInverted: false,
  },
  {
    name: 'halved and turned',
    of: (view) => rotateView(halveView(view), TURN),
    binarizer: 'hybrid',
    isInverted: false,
  },
  { name: 'halved, inverted', of: halveView, binarizer: 'hybrid', isInverted: true },
  {
    name: 'brightened and softened middle, one threshold',
    of: (view) => softenView(toneView(cropCentre(view, MIDDLE), 0.5)),
    binarizer: 'globalHistogram',
    isInverted: false,
  },
  {
    name: 'sharpened middle, doubled',
    of: (view) => doubleView(sharpenView(cropCentre(view, MIDDLE), { times: 4, gain: 2 })),
    binarizer: 'hybrid',
    isInverted: false,
  },
]

/** From the centres of the finder patterns to the corners, as seen from the middle of a ticket's code. */
const OUTWARD = TICKET_SIDE / MARKS_APART

/** The library reports the centres of the finder patterns (bottom left, top left, top right); the corners lie further out. */
function extrapolateCorners([bottomLeft, topLeft, topRight]: readonly ResultPoint[]): Corners | undefined {
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

function readOnce(view: View, variant: LibraryVariant): CodeReading[] {
  try {
    const result = new QRCodeReader().decode(new BinaryBitmap(binarizerFor(variant, view)))
    const corners = extrapolateCorners(result.getResultPoints())
    return [{ text: result.getText(), ...(corners && { corners: cornersInFrame(corners, view) }) }]
  } catch (error) {
    if (error instanceof Exception) return []
    throw error
  }
}

/** One variant per frame: on a phone without WebAssembly each takes a whole frame's time. */
export const readWithLibrary: ReadPicture = async (picture, turn) => {
  const variant = LIBRARY_VARIANTS[turn % LIBRARY_VARIANTS.length]
  return variant ? readOnce(variant.of(toView(await picture.luma())), variant) : []
}
