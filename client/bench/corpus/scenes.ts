import type { Card } from './card.ts'
import { strangerText, symbolOf, ticketText, withNoise } from './codes.ts'
import type { Damage } from './damage.ts'
import type { Scene } from './frame.ts'
import type { Pose } from './pose.ts'
import { type Random, seeded } from './random.ts'

/** Each distortion grows from harmless (0) to hopeless (1) over its frames, so the hit rate says how far a reader gets. */
export const DISTORTIONS = [
  'plain',
  'rotation',
  'perspective',
  'defocus',
  'motion',
  'noise',
  'low light',
  'glare',
  'moire',
  'small',
  'inverted',
  'dark theme',
  'two codes',
  'bent paper',
  'mixed',
  'close',
  'saturated',
  'torn and scratched',
  'cracked glass',
  'notice over a corner',
  'print bleed',
  'screen from a screen',
] as const
export type Distortion = (typeof DISTORTIONS)[number]
export const FRAMES_EACH = 32
export const EMPTY_FRAMES = 60

function posed(random: Random, pose: Partial<Pose> = {}): Pose {
  return {
    x: random.between(520, 760),
    y: random.between(320, 400),
    size: random.between(200, 330),
    turn: random.between(-12, 12),
    tiltX: random.between(-10, 10),
    tiltY: random.between(-10, 10),
    ...pose,
  }
}

function paper(text: string, pose: Pose): Card {
  return {
    symbol: symbolOf(text),
    pose,
    dark: 0.12,
    light: 0.85,
    surface: 0.82,
    quiet: 4,
    halfWidth: 0.75,
    halfHeight: 0.95,
    rim: 0,
    grid: { pitch: 1, depth: 0 },
    rolling: { period: 100, depth: 0, phase: 0 },
    bend: 0,
    damage: [],
    bleed: 0,
    refilmed: null,
  }
}

function phone(text: string, pose: Pose): Card {
  return { ...paper(text, pose), dark: 0.05, light: 0.95, surface: 0.9, halfWidth: 0.72, halfHeight: 1.35, rim: 0.05 }
}

function sceneOf(random: Random, card: Card, text: string): Scene {
  return {
    name: '',
    seed: random.whole(1, 1_000_000_000),
    expected: text,
    present: [text],
    cards: [card],
    backdrop: random.whole(0, 11),
    hasDecoys: false,
    defocus: random.between(0.4, 0.9),
    motion: { length: 0, angle: 0 },
    gain: random.between(0.8, 1),
    veil: 0.02,
    glare: [],
    noise: random.between(0.01, 0.025),
  }
}

type Spoil = (scene: Scene, hard: number, random: Random) => Scene
const onCards = (scene: Scene, change: (card: Card) => Card): Scene => ({ ...scene, cards: scene.cards.map(change) })
const turned = (scene: Scene, pose: (was: Pose) => Partial<Pose>) =>
  onCards(scene, (card) => ({ ...card, pose: { ...card.pose, ...pose(card.pose) } }))

const glare: Spoil = (scene, hard, random) => {
  const pose = scene.cards[0]?.pose ?? { x: 640, y: 360, size: 250 }
  const [away, angle] = [random.between(0.15, 0.6) * pose.size * (1 - 0.5 * hard), random.between(0, 6.28)]
  const place = { x: pose.x + Math.cos(angle) * away, y: pose.y + Math.sin(angle) * away }
  const shape = {
    radius: pose.size * (0.08 + 0.3 * hard),
    stretch: random.between(1, 4),
    angle: random.between(0, 180),
  }
  return { ...scene, veil: scene.veil + 0.12 * hard, glare: [{ ...place, ...shape, light: 0.5 + 1.5 * hard }] }
}

const moire: Spoil = (scene, hard, random) =>
  onCards(scene, (card) => ({
    ...card,
    grid: { pitch: card.pose.size * random.between(0.85, 1.15), depth: 0.3 + 0.65 * hard },
    rolling: { period: random.between(60, 240), depth: 0.2 + 0.5 * hard, phase: random.between(0, 6.28) },
  }))

const twoCodes: Spoil = (scene, hard, random) => {
  const side = random.pick([-1, 1])
  const turn = random.between(-30, 30)
  const other = hard < 0.5 ? strangerText(random) : ticketText(random)
  const size = 170 + random.between(0, 80)
  const near = turned(scene, () => ({
    x: 640 - side * random.between(90, 130),
    y: random.between(330, 390),
    size,
    turn,
  }))
  const far = posed(random, { x: 640 + side * random.between(300, 380), y: random.between(260, 460), size: size * 0.9 })
  const second =
    hard < 0.5 ? { ...phone(other, far), halfHeight: 0.8 } : { ...paper(other, far), halfWidth: 0.6, halfHeight: 0.62 }
  const clear = onCards(near, (card) => ({ ...card, halfWidth: 0.62, halfHeight: 0.66 }))
  return { ...clear, cards: [second, ...clear.cards], present: [...scene.present, other] }
}

/** Light so strong that the sensor sees white: from a twentieth of the code to almost half of it. */
const saturated: Spoil = (scene, hard, random) => {
  const pose = scene.cards[0]?.pose ?? { x: 640, y: 360, size: 250 }
  const [away, angle] = [random.between(0, 0.32) * pose.size, random.between(0, 2 * Math.PI)]
  const place = { x: pose.x + Math.cos(angle) * away, y: pose.y + Math.sin(angle) * away }
  const light = 6
  const stretch = random.between(1, 1.8)
  // White as far out as the light adds one: the square root of the logarithm of it, in radii.
  const radius = (pose.size * Math.sqrt((0.05 + 0.4 * hard) / (Math.PI * stretch))) / Math.sqrt(Math.log(light))
  return { ...scene, glare: [{ ...place, radius, stretch, angle: random.between(0, 180), light }] }
}

/** A corner or an edge is gone, and things were drawn across the rest. */
const tornAndScratched: Spoil = (scene, hard, random) => {
  const scratches = Array.from({ length: Math.round(2 + 8 * hard) }, (): Damage => {
    const spot = () => ({ u: random.between(-0.6, 0.6), v: random.between(-0.6, 0.6) })
    return { type: 'scratch', from: spot(), to: spot(), width: 0.006 + 0.018 * hard, light: random.pick([0.95, 0.2]) }
  })
  const isCorner = random.next() < 0.6
  const angle = random.whole(0, 3) * (Math.PI / 2) + (isCorner ? Math.PI / 4 : 0) + random.between(-0.25, 0.25)
  const away = isCorner ? 0.72 - 0.32 * hard : 0.52 - 0.2 * hard
  return onCards(scene, (card) => ({ ...card, damage: [...scratches, { type: 'tear', angle, away, ragged: 0.012 }] }))
}

const crackedGlass: Spoil = (scene, hard, random) => {
  const spokes = Array.from({ length: Math.round(5 + 9 * hard) }, () => ({
    angle: random.between(0, 2 * Math.PI),
    shift: { u: random.between(-0.014, 0.014) * hard, v: random.between(-0.014, 0.014) * hard },
  })).sort((a, b) => a.angle - b.angle)
  const at = { u: random.between(-0.45, 0.45), v: random.between(-0.45, 0.45) }
  return onCards(scene, (card) => ({
    ...card,
    damage: [{ type: 'glass', at, spokes, width: 0.002 + 0.006 * hard, light: 1.1 }],
  }))
}

const noticeOverCorner: Spoil = (scene, hard, random) => {
  const [width, height] = [0.2 + 0.4 * hard, 0.12 + 0.32 * hard]
  const isLeft = random.next() < 0.5
  const isTop = random.next() < 0.7
  const [light, ink] = random.next() < 0.5 ? [0.97, 0.3] : [0.16, 0.8]
  const sides = isLeft ? { left: -0.7, right: -0.5 + width } : { left: 0.5 - width, right: 0.7 }
  const ends = isTop ? { top: -0.7, bottom: -0.5 + height } : { top: 0.5 - height, bottom: 0.7 }
  return onCards(scene, (card) => ({ ...card, damage: [{ type: 'notice', ...sides, ...ends, light, ink }] }))
}

/** The first film was never sharp and has fewer pixels each time; the second adds its own grid and rolling bars. */
const screenFromScreen: Spoil = (scene, hard, random) => {
  const filmed = moire({ ...scene, defocus: 0.8 + 0.8 * hard }, 0.15 + 0.35 * hard, random)
  return onCards(filmed, (card) => ({
    ...card,
    dark: 0.1 + 0.15 * hard,
    light: 0.9 - 0.15 * hard,
    refilmed: { pitch: 150 - 85 * hard, turn: random.between(-0.2, 0.2), depth: 0.15 + 0.45 * hard },
  }))
}

const SPOIL: Record<Distortion, Spoil> = {
  plain: (scene) => scene,
  rotation: (scene, hard) => turned(scene, () => ({ turn: hard * 360 })),
  perspective: (scene, hard, random) =>
    turned(scene, () => ({
      tiltX: random.pick([-1, 1]) * (20 + 45 * hard),
      tiltY: random.pick([-1, 1]) * (10 + 35 * hard),
      turn: random.between(-40, 40),
    })),
  defocus: (scene, hard) => ({ ...scene, defocus: 1.2 + 4.3 * hard }),
  motion: (scene, hard, random) => ({ ...scene, motion: { length: 3 + 13 * hard, angle: random.between(0, 180) } }),
  noise: (scene, hard) => ({ ...scene, noise: 0.06 + 0.3 * hard }),
  'low light': (scene, hard) => ({ ...scene, gain: 0.3 - 0.26 * hard, veil: 0.08, noise: 0.02 + 0.012 * hard }),
  glare,
  moire,
  small: (scene, hard) => turned(scene, () => ({ size: 120 - 66 * hard })),
  inverted: (scene, hard, random) =>
    onCards({ ...scene, defocus: 0.6 + 2 * hard }, (card) => ({
      ...card,
      dark: 0.92 - 0.3 * hard,
      light: 0.06 + 0.12 * hard,
      surface: 0.08,
      pose: { ...card.pose, turn: random.between(0, 360) },
    })),
  'dark theme': (scene, hard) =>
    onCards({ ...scene, defocus: 0.6 + 1.8 * hard }, (card) => ({
      ...card,
      surface: 0.04,
      quiet: 3 - 2.9 * hard,
      light: 0.9 - 0.45 * hard,
    })),
  'two codes': twoCodes,
  'bent paper': (scene, hard, random) =>
    onCards(scene, (card) => ({ ...card, bend: random.pick([-1, 1]) * (0.01 + 0.15 * hard) })),
  close: (scene, hard, random) => ({
    ...turned(scene, () => ({ size: 350 + 270 * hard, x: random.between(600, 680), y: random.between(345, 375) })),
    defocus: 1 + 3 * hard,
  }),
  saturated,
  'torn and scratched': tornAndScratched,
  'cracked glass': crackedGlass,
  'notice over a corner': noticeOverCorner,
  'print bleed': (scene, hard) =>
    onCards({ ...scene, defocus: 0.6 + hard }, (card) => ({ ...card, bleed: 0.1 + 0.4 * hard })),
  'screen from a screen': screenFromScreen,
  mixed: (scene, hard, random) => {
    const posedHard = turned(scene, (was) => ({
      turn: random.between(0, 360),
      tiltX: random.between(-35, 35) * (0.4 + hard),
      tiltY: random.between(-25, 25) * (0.4 + hard),
      size: was.size * (1 - 0.45 * hard),
    }))
    const lit = { ...posedHard, gain: 0.75 - 0.5 * hard, defocus: 0.8 + 1.2 * hard, noise: 0.02 + 0.05 * hard }
    return moire(glare(lit, 0.35 * hard, random), 0.3 * hard, random)
  },
}

const ON_PHONE: ReadonlySet<Distortion> = new Set([
  'moire',
  'inverted',
  'dark theme',
  'glare',
  'cracked glass',
  'notice over a corner',
  'screen from a screen',
])
const ON_PAPER: ReadonlySet<Distortion> = new Set(['bent paper', 'torn and scratched', 'print bleed'])

/** Scene number `index` of a distortion; the same numbers give the same scene for ever. */
export function sceneWith(distortion: Distortion, index: number, of = FRAMES_EACH): Scene {
  const random = seeded(DISTORTIONS.indexOf(distortion) * 10_007 + index * 131 + 5)
  const text = ticketText(random)
  const isPhone = ON_PHONE.has(distortion) || (!ON_PAPER.has(distortion) && random.next() < 0.5)
  const scene = sceneOf(random, (isPhone ? phone : paper)(text, posed(random)), text)
  const spoilt = SPOIL[distortion](scene, of > 1 ? index / (of - 1) : 0.5, random)
  return { ...spoilt, name: `${distortion} ${index}` }
}

/** A picture without any code, half of them with things that look like one. */
export function emptyScene(index: number): Scene {
  const random = seeded(900_001 + index * 37)
  const blank = sceneOf(random, paper('', posed(random)), '')
  const noise = 0.01 + 0.25 * ((index % EMPTY_FRAMES) / EMPTY_FRAMES)
  return { ...blank, name: `empty ${index}`, expected: null, present: [], cards: [], hasDecoys: index % 2 === 0, noise }
}

/** The marks of a ticket with noise for data, spoilt as tickets are: what error correction must not take for a text. */
export function nearCodeScene(index: number): Scene {
  const distortion = DISTORTIONS[index % DISTORTIONS.length] ?? 'plain'
  const random = seeded(700_001 + index * 53)
  const scene = sceneWith(distortion, random.whole(0, FRAMES_EACH - 1))
  const cards = scene.cards.map((card) => ({ ...card, symbol: withNoise(card.symbol, random) }))
  return { ...scene, name: `near a code ${index}`, seed: scene.seed + index, cards, expected: null, present: [] }
}
