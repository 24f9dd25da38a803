import { describe, expect, test } from 'vitest'
import { seeded } from '../../../bench/corpus/random.ts'
import { completeBlock, correctBlock } from './correction.ts'

describe('error correction', () => {
  const random = seeded(11)
  /** A valid block: one of zeros, and what its first codewords make of it when its check codewords are taken as missing. */
  const zeros = new Uint8Array(67)
  const spoilt = (wrong: number, missing: number) => {
    const block = zeros.slice()
    const places = Array.from(block.keys()).sort(() => random.next() - 0.5)
    for (const place of places.slice(0, wrong + missing)) block[place] = random.whole(1, 255)
    return { block, missing: places.slice(wrong, wrong + missing) }
  }

  test.each([
    [10, 0],
    [0, 21],
    [5, 10],
    [1, 18],
  ])('%i wrong and %i missing codewords are replaced', (wrong, missing) => {
    const { block, missing: places } = spoilt(wrong, missing)
    expect(correctBlock(block, places)).toEqual(zeros)
  })

  test.each([
    [11, 0],
    [1, 20],
    [12, 12],
  ])('%i wrong and %i missing ones leave too little to be sure', (wrong, missing) => {
    const { block, missing: places } = spoilt(wrong, missing)
    expect(correctBlock(block, places)).toBeNull()
  })

  /** A block whose bits are wrong by chance where they are doubted, and at some places where they are not. */
  const doubtful = (doubted: number, wrong: number) => {
    const block = zeros.slice()
    const bits = Array.from({ length: 67 * 8 }, (_, i) => i).sort(() => random.next() - 0.5)
    const certainty = new Float64Array(67 * 8).fill(9)
    for (const [i, bit] of bits.slice(0, doubted + wrong).entries()) {
      if (i < doubted) certainty[bit] = 1
      if (i >= doubted || random.next() < 0.5) block[bit >> 3] = (block[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7))
    }
    return { block, certainty }
  }

  test.each([
    [168, 0],
    [136, 1],
    [136, 2],
  ])('%i doubtful bits in any codeword are replaced, with %i more that were wrong', (doubted, wrong) => {
    const { block, certainty } = doubtful(doubted, wrong)
    expect(completeBlock(block, certainty)).toEqual(zeros)
  })

  test.each([
    [190, 0],
    [136, 4],
    [536, 0],
  ])('%i doubtful bits and %i more wrong ones leave too little to be sure', (doubted, wrong) => {
    for (let time = 0; time < 20; time++) {
      const { block, certainty } = doubtful(doubted, wrong)
      expect(completeBlock(block, certainty)).toBeNull()
    }
  })

  test('noise is never a block: the other half of a ticket may be whole, and its form proves nothing of this one', () => {
    for (let time = 0; time < 200; time++) {
      const noise = Uint8Array.from({ length: 67 }, () => random.whole(0, 255))
      const certainty = Float64Array.from({ length: 67 * 8 }, () => random.next())
      expect(completeBlock(noise, certainty)).toBeNull()
    }
  })
})
