import { background, decoys, FRAME } from './background.ts'
import { type Card, drawCard } from './card.ts'
import { type Box, blur, cut, grown, type Plane, paste, smear } from './plane.ts'
import { normals, seeded } from './random.ts'

/** What a camera delivers, light only: 0 = black, 255 = white. */
export interface Luma {
  width: number
  height: number
  data: Uint8ClampedArray
}

/** A scene as data, so that it can be drawn twice with another hand shake and other noise. */
export interface Scene {
  name: string
  seed: number
  /** The code that must be read (the one nearest to the centre), or none in a scene without a code. */
  expected: string | null
  /** Every text that truly is in the picture. */
  present: readonly string[]
  cards: readonly Card[]
  backdrop: number
  hasDecoys: boolean
  /** Standard deviation in pixels. */
  defocus: number
  motion: { length: number; angle: number }
  /** Exposure: 1 = well lit. `veil` is stray light added everywhere. */
  gain: number
  veil: number
  /** Bright reflections: centre in pixels, radius in pixels, light added in the middle. */
  glare: readonly { x: number; y: number; radius: number; stretch: number; angle: number; light: number }[]
  /** Read noise and shot noise, in light. */
  noise: number
}

function shine(plane: Plane, spots: Scene['glare']) {
  for (const spot of spots) {
    const [c, s] = [Math.cos((spot.angle * Math.PI) / 180), Math.sin((spot.angle * Math.PI) / 180)]
    const reach = 3 * spot.radius * Math.max(1, spot.stretch)
    const box = grown({ left: spot.x, right: spot.x, top: spot.y, bottom: spot.y }, reach, plane)
    for (let y = box.top; y < box.bottom; y++) {
      for (let x = box.left; x < box.right; x++) {
        const along = ((x - spot.x) * c + (y - spot.y) * s) / spot.stretch
        const across = -(x - spot.x) * s + (y - spot.y) * c
        const far = (along * along + across * across) / (spot.radius * spot.radius)
        if (far < 9)
          plane.data[y * plane.width + x] = (plane.data[y * plane.width + x] ?? 0) + spot.light * Math.exp(-far)
      }
    }
  }
}

function expose(plane: Plane, scene: Scene, shot: number): Luma {
  const grain = normals(scene.seed * 31 + shot * 7 + 1)
  const data = new Uint8ClampedArray(plane.data.length)
  for (let y = 0; y < plane.height; y++) {
    const row = grain(plane.width)
    for (let x = 0; x < plane.width; x++) {
      const light = Math.min(1.2, Math.max(0, scene.gain * ((plane.data[y * plane.width + x] ?? 0) + scene.veil)))
      data[y * plane.width + x] = 255 * (light + scene.noise * (0.5 + Math.sqrt(light)) * (row[x] ?? 0))
    }
  }
  return { width: plane.width, height: plane.height, data }
}

/** The hand is never still: each later shot of a scene stands a little elsewhere, and the focus breathes. */
function shaken(scene: Scene, shot: number): Scene {
  if (shot === 0) return scene
  const random = seeded(scene.seed * 101 + shot)
  const [dx, dy, turn, breath] = [
    random.between(-4, 4),
    random.between(-4, 4),
    random.between(-1, 1),
    random.between(0.8, 1.15),
  ]
  const cards = scene.cards.map((card) => {
    const pose = { ...card.pose, x: card.pose.x + dx, y: card.pose.y + dy, turn: card.pose.turn + turn }
    return { ...card, pose }
  })
  const motion = {
    length: scene.motion.length * random.between(0.5, 1.2),
    angle: scene.motion.angle + random.between(-30, 30),
  }
  return { ...scene, cards, motion, defocus: scene.defocus * breath }
}

const around = (a: Box | null, b: Box): Box =>
  a
    ? {
        left: Math.min(a.left, b.left),
        top: Math.min(a.top, b.top),
        right: Math.max(a.right, b.right),
        bottom: Math.max(a.bottom, b.bottom),
      }
    : b

/** One picture of the scene, 1280x720; `shot` numbers the frames of a video of it. */
export function photograph(scene: Scene, shot = 0): Luma {
  const { cards, backdrop, hasDecoys, defocus, motion, glare, seed } = shaken(scene, shot)
  const plane = background(backdrop)
  if (hasDecoys) decoys(plane, seeded(seed))
  const drawn = cards.map((card) => drawCard(plane, card)).reduce<Box | null>(around, null)
  // The backdrop comes softened already, so the lens is applied where the cards are: that is what makes 500 frames affordable.
  if (drawn) {
    const box = grown(drawn, 3 * defocus + motion.length, plane)
    const part = cut(plane, box)
    blur(part, defocus)
    smear(part, motion)
    paste(plane, part, box)
  }
  shine(plane, glare)
  return expose(plane, scene, shot)
}

export { FRAME }
