import type { ZXingReaderOptions } from 'zxing-wasm/reader'
import { brightened, centre, doubled, halved, localMean, sharpened, softened, turned, type View } from './luma.ts'

/**
 * Other looks at the same frame, chosen by what each adds to those before it on the bench's corpus
 * (client/bench/decode.bench.ts). In the order of what they add, for the first frame gets the first one.
 */

/** The checker aims, so the centre deserves a closer look; a quarter of the pixels makes up for doubling them. */
const MIDDLE = 0.6
const MOST = 0.8
/** Degrees; no right angle or half of one, in which a piece of the data may look like a mark again. */
const TURN = 30

export interface WasmVariant {
  name: string
  of(view: View): View
  options: Partial<ZXingReaderOptions>
}

const GLOBAL_HISTOGRAM = 1

export const WASM_VARIANTS: readonly WasmVariant[] = [
  {
    // Noise, moire, low light: averaged, and the dark half of the scale spread out.
    name: 'softened and brightened',
    of: (view) => brightened(softened(view, 2)),
    options: {},
  },
  {
    // Small codes and defocus: edges restored, then enough pixels for each module.
    name: 'sharpened middle, doubled',
    of: (view) => doubled(sharpened(centre(view, MIDDLE), { times: 4, gain: 3 })),
    options: {},
  },
  {
    // Defocus in poor light.
    name: 'brightened and sharpened middle, doubled',
    of: (view) => doubled(sharpened(softened(brightened(centre(view, MIDDLE))), { times: 8, gain: 4 })),
    options: {},
  },
  {
    // Screens in the dark; bent paper.
    name: 'brightened, one threshold',
    of: brightened,
    options: { binarizer: GLOBAL_HISTOGRAM },
  },
  {
    // Defocus and moire that leave little difference between neighbours.
    name: 'softened, threshold of the surroundings',
    of: (view) => localMean(softened(view), 0.02),
    options: {},
  },
  {
    // Glare and shadows.
    name: 'threshold of the wide surroundings',
    of: (view) => localMean(view, 0.15),
    options: {},
  },
]

export interface LibraryVariant {
  name: string
  of(view: View): View
  binarizer: 'hybrid' | 'globalHistogram'
  isInverted: boolean
}

export const LIBRARY_VARIANTS: readonly LibraryVariant[] = [
  {
    name: 'softened middle',
    of: (view) => softened(centre(view, MIDDLE), 2),
    binarizer: 'hybrid',
    isInverted: false,
  },
  // A code held close fills more than the centre.
  { name: 'halved', of: halved, binarizer: 'hybrid', isInverted: false },
  {
    name: 'middle without fine noise, sharpened',
    of: (view) => sharpened(softened(centre(view, MIDDLE), 2), { times: 8, gain: 3 }),
    binarizer: 'hybrid',
    isInverted: false,
  },
  // In an upright ticket the library may take a piece of the data for a corner or the alignment mark, however often it looks.
  {
    name: 'most of it, turned',
    of: (view) => turned(centre(view, MOST), TURN),
    binarizer: 'hybrid',
    isInverted: false,
  },
  { name: 'halved and turned', of: (view) => turned(halved(view), TURN), binarizer: 'hybrid', isInverted: false },
  { name: 'halved, inverted', of: halved, binarizer: 'hybrid', isInverted: true },
  {
    name: 'brightened and softened middle, one threshold',
    of: (view) => softened(brightened(centre(view, MIDDLE))),
    binarizer: 'globalHistogram',
    isInverted: false,
  },
  {
    name: 'sharpened middle, doubled',
    of: (view) => doubled(sharpened(centre(view, MIDDLE), { times: 4, gain: 2 })),
    binarizer: 'hybrid',
    isInverted: false,
  },
]
